import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { invalidField } from '#shared/errors/service-error';
import { changedEmailSchema, emailViewWords } from '#shared/resend/email-view';
import { readScheduledAt } from '#shared/resend/scheduled-at';
import { moveSend } from '#shared/sending/later/change-plan';
import { moveDeclaration, usedToMove } from '#shared/sending/later/plan-declaration';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    ...moveDeclaration,
    errorForm: 'resend',
    route: 'PATCH /resend/emails/{id}',
    /** Some Resend clients send the path's id in the body too. */
    body: z.strictObject({ scheduled_at: z.string(), id: z.optional(z.string()) }),
    answers: {
      200: {
        body: changedEmailSchema,
        description: 'The email goes out at its new time.',
        example: { object: 'email', id: exampleIds.send },
      },
    },
    uses: usedToMove,
    lambda: { ...moveDeclaration.lambda, stack: 'Resend' },
    words: {
      section: 'Resend',
      summary: 'Move a scheduled email, as with Resend',
      description: 'Does what `PATCH /api/v1/sends/{id}` does.',
      fields: {
        ...emailViewWords,
        scheduled_at:
          'When the email goes out: ISO 8601 with a time zone, or in words such as `in 1 hour`.',
        id: 'The ID of the email. Left out of the body, or the same.',
      },
      example: { path: { id: exampleIds.send }, body: { scheduled_at: 'in 1 hour' } },
    },
  },
  async ({ caller, path: { id }, body }, moving) => {
    if (body.id !== undefined && body.id !== id)
      throw invalidField('id', 'must be the id in the path');
    const sendAt = readScheduledAt(body.scheduled_at, moving.now());
    await moveSend({ id, caller }, sendAt, moving);
    return { object: 'email' as const, id };
  },
);
