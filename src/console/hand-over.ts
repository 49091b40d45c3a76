// A text as a file for whoever asked for one: its address is made when they press and gone after it, because a page
// that shows the same snapshot is the same page. Keeps P7-D1.

export const handOver = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};
