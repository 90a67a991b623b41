import { defineEndpoint } from '#shared/endpoints/endpoint';
import { changedEmailSchema, emailViewWords } from '#shared/resend/email-view';
import { cancelSend } from '#shared/sending/later/change-plan';
import { cancelDeclaration, usedToCancel } from '#shared/sending/later/plan-declaration';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    ...cancelDeclaration,
    errorForm: 'resend',
    route: 'POST /resend/emails/{id}/cancel',
    answers: {
      200: {
        body: changedEmailSchema,
        description: 'The email does not go out.',
        example: { object: 'email', id: exampleIds.send },
      },
    },
    uses: usedToCancel,
    lambda: { ...cancelDeclaration.lambda, stack: 'Resend' },
    words: {
      section: 'Resend',
      summary: 'Cancel a scheduled email, as with Resend',
      description: 'Does what `POST /api/v1/sends/{id}/cancel` does.',
      fields: emailViewWords,
      example: { path: { id: exampleIds.send } },
    },
  },
  async ({ caller, path: { id }, log }, canceling) => {
    await cancelSend({ id, caller }, canceling, log);
    return { object: 'email' as const, id };
  },
);
