// A form that asks for records: its fields become the query of a page's address. Showing something else is no act: it
// only reads.

import { type FormEvent, type ReactNode, useId } from "react";

type Props<Name extends string> = {
  readonly fields: readonly (readonly [name: Name, title: string])[];
  readonly label: string;
  readonly query: { readonly [K in Name]?: string };
  readonly show: (given: Readonly<Record<string, string>>) => void;
};

export const SearchForm = <Name extends string>({ fields, label, query, show }: Props<Name>): ReactNode => {
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    show(Object.fromEntries(fields.map(([name]) => [name, String(typed.get(name) ?? "").trim()])));
  };
  return (
    <form aria-label={label} className="filters" onSubmit={submit}>
      {fields.map(([name, title]) => (
        <div key={name}>
          <label htmlFor={`${id}${name}`}>{title}</label>
          <input defaultValue={query[name] ?? ""} id={`${id}${name}`} name={name} size={12} type="search" />
        </div>
      ))}
      <button type="submit">Show</button>
    </form>
  );
};
