// In the browser: asks the device for a passkey, and hands what it gives to the service. Nothing is decided here.
//
// The secret of an invitation is behind the # of its address, and leaves the browser in the body of a request alone.

const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const at = (id) => document.getElementById(id);

const post = async (path, body) => {
  const response = await fetch(path, {
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
    method: "POST",
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail ?? answer.title ?? response.statusText);
  return answer;
};

/** Whatever goes wrong is said on the page; the button can be used again. */
const attempt = (button, work) => async (event) => {
  event.preventDefault();
  at("alert").textContent = "";
  button.disabled = true;
  try {
    await work();
  } catch (error) {
    at("alert").textContent =
      error.name === "NotAllowedError" ? "The passkey was not used. You can try again." : error.message;
  } finally {
    button.disabled = false;
  }
};

const use = async ({ challenge, rpId }) => {
  const publicKey = { challenge: bytes(challenge), rpId, userVerification: "required" };
  const { id, response } = await navigator.credentials.get({ publicKey });
  return {
    authenticatorData: text(response.authenticatorData),
    clientDataJSON: text(response.clientDataJSON),
    id,
    signature: text(response.signature),
  };
};

const make = async ({ algorithms, challenge, name, rpId, userId }) => {
  const { id, response } = await navigator.credentials.create({
    publicKey: {
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      challenge: bytes(challenge),
      pubKeyCredParams: algorithms.map((alg) => ({ alg, type: "public-key" })),
      rp: { id: rpId, name: "Dedalus" },
      user: { displayName: name, id: bytes(userId), name },
    },
  });
  return {
    algorithm: response.getPublicKeyAlgorithm(),
    authenticatorData: text(response.getAuthenticatorData()),
    clientDataJSON: text(response.clientDataJSON),
    id,
    publicKey: text(response.getPublicKey()),
  };
};

const DONE = {
  passkey: `Your passkey is set. Sign in with it here, or at a terminal: dedalus login --server ${location.origin}`,
  token: `Keep this token as a secret: it is not shown again. Set it as DEDALUS_TOKEN, and check it: dedalus whoami --server ${location.origin}`,
};

const signIn = at("sign-in");
signIn?.addEventListener(
  "submit",
  attempt(signIn.querySelector("button"), async () => {
    const terminal = Object.fromEntries(new FormData(signIn));
    const asked = await post("/sign-in/passkey/options", {});
    const used = await use(asked);
    const { subject, to } = await post("/sign-in/passkey", { ...terminal, flow: asked.flow, used });
    if (to !== undefined) return location.assign(to);
    signIn.hidden = true;
    at("asked").hidden = true;
    at("done").textContent = `Your terminal is signed in as ${subject}. You can close this page.`;
  }),
);

const showInvitation = async () => {
  const secret = location.hash.slice(1);
  const asked = await post("/invitation/options", { secret });
  at("inviter").textContent = asked.inviter;
  at("name").textContent = asked.name;
  at("roles").textContent = asked.roles;
  at("invited").hidden = false;
  const redeem = (button, brought) =>
    at(button).addEventListener(
      "click",
      attempt(at(button), async () => {
        const answer = await post("/invitation/redeem", { ...(await brought()), secret });
        history.replaceState(null, "", location.pathname);
        at("invited").hidden = true;
        at("done").textContent = DONE[answer.kind];
        at("secret").textContent = answer.token ?? "";
        at("go-on").hidden = answer.kind !== "passkey";
      }),
    );
  redeem("passkey", async () => ({ flow: asked.flow, passkey: await make(asked) }));
  redeem("token", async () => ({ token: true }));
};

if (at("invited") !== null)
  showInvitation().catch((error) => {
    at("alert").textContent = error.message;
  });
