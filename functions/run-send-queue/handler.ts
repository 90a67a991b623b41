import { setTimeout as sleep } from 'node:timers/promises';
import { serveSchedule } from '#shared/endpoints/serve-background';
import { lookAfterDoubt } from '#shared/sending/later/send-waiting';
import { attend, openWaitingSending, openWorkerPace } from '#shared/sending/later/workers';
import { lambda } from './function.ts';
import { runSendQueue } from './run-send-queue.ts';

export const handler = serveSchedule(
  lambda,
  (_table, environment) => {
    const perSecond = openWorkerPace(environment);
    return { ...openWaitingSending(environment, perSecond), perSecond };
  },
  ({ perSecond, ...sending }, log) => {
    const { table, now, wakeSenders } = sending;
    return runSendQueue(
      {
        ...{ table, now, wakeSenders, perSecond },
        wait: (ms) => sleep(ms, undefined, { ref: false }),
        lookLater: (slotId) => lookAfterDoubt(slotId, sending),
        attempt: (slotId, until) => attend({ slotId }, { ...sending, until }, log.part({})),
      },
      log,
    );
  },
);
