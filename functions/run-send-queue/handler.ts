import { setTimeout as sleep } from 'node:timers/promises';
import { serveSchedule } from '#shared/endpoints/serve-background';
import { lookAfterDoubt } from '#shared/sending/later/send-waiting';
import { openDueSendStore } from '#shared/sending/later/waiting-store';
import { attend, openWaitingSending, openWorkerPace } from '#shared/sending/later/workers';
import { lambda } from './function.ts';
import { runSendQueue } from './run-send-queue.ts';

export const handler = serveSchedule(
  lambda,
  (table, environment) => {
    const perSecond = openWorkerPace(environment);
    return {
      ...openWaitingSending(environment, perSecond),
      dueSends: openDueSendStore(table),
      perSecond,
    };
  },
  ({ dueSends, perSecond, ...sending }, log) => {
    const { now, wakeSenders } = sending;
    return runSendQueue(
      {
        ...{ now, dueSends, wakeSenders, perSecond },
        wait: (ms) => sleep(ms, undefined, { ref: false }),
        lookLater: (slotId) => lookAfterDoubt(slotId, sending),
        attempt: (slotId, until) => attend({ slotId }, { ...sending, until }, log.part({})),
      },
      log,
    );
  },
);
