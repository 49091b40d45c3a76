// Starts the console in its frame.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { PressedActsHeld, pressedActs } from "./pressed-acts.ts";
import { nothingSeen, SeenRecordsHeld } from "./seen-records.ts";

const frame = document.getElementById("console");
if (frame === null) throw new Error("the frame has a place for the console");
createRoot(frame).render(
  <StrictMode>
    <SeenRecordsHeld value={nothingSeen()}>
      <PressedActsHeld value={pressedActs(sessionStorage)}>
        <App />
      </PressedActsHeld>
    </SeenRecordsHeld>
  </StrictMode>,
);
