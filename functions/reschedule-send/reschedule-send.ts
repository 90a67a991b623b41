import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { moveSend } from '#shared/sending/later/change-plan';
import { moveDeclaration, usedToMove } from '#shared/sending/later/plan-declaration';
import { longestAheadDays } from '#shared/sending/later/schedule-horizon';
import { longestPastMinutes, sendMoment } from '#shared/sending/request/send-request';
import { sendResponseSchema } from '#shared/sending/send';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    ...moveDeclaration,
    route: 'PATCH /api/v1/sends/{id}',
    body: z.strictObject({ sendAt: sendMoment }),
    answers: {
      200: {
        body: sendResponseSchema,
        description: 'The send in its new place.',
        example: { sendId: exampleIds.send, status: 'scheduled', sendAt: exampleTime },
      },
    },
    uses: usedToMove,
    words: {
      section: 'Sends',
      summary: 'Move a scheduled or queued send',
      description: `The email goes out within a minute of its new time, at most ${longestAheadDays} days after it was created. A time up to ${longestPastMinutes} minutes in the past means now.`,
      fields: {
        sendAt: 'When the email goes out: epoch milliseconds, or ISO 8601 with a time zone.',
      },
      example: { path: { id: exampleIds.send }, body: { sendAt: exampleTime } },
    },
  },
  ({ caller, path: { id }, body: { sendAt } }, moving) => moveSend({ id, caller }, sendAt, moving),
);
