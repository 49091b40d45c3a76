// A door that tells as a process does, and counts the requests that it answered ahead of the framework.

import type { TestContext } from "node:test";
import type { DoorGiven } from "../../src/boundary/http/door-given.ts";
import { hearingOf } from "../../src/boundary/telemetry/hearing.ts";
import { observedService } from "../../src/boundary/telemetry/observed-service.ts";
import { observeRequests } from "../../src/boundary/telemetry/request-hooks.ts";
import { present } from "../../src/spine/values/present.ts";
import { serving } from "../service/serving.ts";
import { atDoor } from "./at-door.ts";
import { telling } from "./telling.ts";

type CountedOptions = Parameters<typeof atDoor>[1];

/** Of these no span is made. */
const recallOf = ({ posture, recall }: DoorGiven["service"]) => ({ posture, ...present({ recall }) });

export const atCountedDoor = async (
  t: TestContext,
  change: (given: DoorGiven) => Partial<DoorGiven> = () => ({}),
  { more = "", ...door }: CountedOptions = {},
) => {
  const told = telling();
  const hears = hearingOf(told.telemetry, () => undefined);
  let atOnce = 0;
  const at = await atDoor(t, {
    ...door,
    change: ({ service, ...given }) => ({
      observe: (app) => {
        const observer = observeRequests(app, told.telemetry);
        return {
          ...observer,
          tell: (...given) => {
            atOnce += 1;
            observer.tell(...given);
          },
        };
      },
      service: { ...service, ...observedService(service, told.telemetry), ...recallOf(service) },
      ...change({ ...given, service }),
    }),
    serves: (ending) => serving(ending, more, (ports) => ({ ...ports, hears })),
  });
  return { at, atOnce: () => atOnce, told };
};
