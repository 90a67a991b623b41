import { knowsUrlPolicy } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleNewResendWebhook,
  resendNewWebhookSchema,
  resendWebhookSchema,
  resendWebhookWords,
  toNewWebhook,
} from '#shared/resend/webhooks';
import { registerWebhook } from '#shared/webhooks/change-webhooks';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    access: { ...managementDeclaration.access, freshSession: true },
    route: 'POST /resend/webhooks',
    body: resendWebhookSchema,
    answers: {
      201: {
        body: resendNewWebhookSchema,
        description: 'The new webhook endpoint, with its secret.',
        example: exampleNewResendWebhook,
      },
    },
    errors: ['too_many_webhooks'],
    isLimited: true,
    uses: { urlPolicy: knowsUrlPolicy },
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'] },
    words: {
      section: 'Resend',
      summary: 'Register a webhook endpoint, as with Resend',
      description:
        'Makes an endpoint of format `resend`: it gets Resend’s event names, bodies and headers (`svix-id`, `svix-timestamp`, `svix-signature`).',
      fields: resendWebhookWords,
      example: {
        body: {
          endpoint: 'https://example.com/hooks/email',
          events: ['email.bounced', 'email.complained'],
        },
      },
    },
  },
  async ({ caller, body }, creating) => {
    const { id, secret } = await registerWebhook({ caller, body: toNewWebhook(body) }, creating);
    return { object: 'webhook' as const, id, signing_secret: secret };
  },
);
