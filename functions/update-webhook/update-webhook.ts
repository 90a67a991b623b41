import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { WebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { changeWebhook, requireValidUrl } from '#shared/webhooks/manage-webhook';
import type { Webhook } from '#shared/webhooks/webhook';
import type { WebhookUrlResult } from '#shared/webhooks/webhook-url';
import type { UpdateWebhookRequest } from './schema.ts';

export type UpdateWebhookDependencies = Pick<
  WebhookDependencies,
  'now' | 'apiKeys' | 'getWebhook' | 'replaceWebhook'
> & { readonly checkUrl: (url: string) => WebhookUrlResult };

/**
 * Changes the fields of a webhook endpoint that are given.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `webhook_not_found`,
 *   `concurrent_change`, `too_many_webhooks`
 */
export async function updateWebhook(
  credential: string | undefined,
  id: string,
  parse: () => UpdateWebhookRequest,
  dependencies: UpdateWebhookDependencies,
): Promise<Webhook> {
  const organizationId = await authenticateManager(credential, dependencies);
  const request = parse();
  if (request.url !== undefined) requireValidUrl(dependencies.checkUrl(request.url));
  const change = (webhook: Webhook, now: number) => withChanges(webhook, request, now);
  return changeWebhook(id, organizationId, change, dependencies);
}

function withChanges(
  webhook: Webhook,
  { enabled, ...fields }: UpdateWebhookRequest,
  now: number,
): Webhook {
  const { failingSince, slowUntil, disabled, ...kept } = webhook;
  const isElsewhere = fields.url !== undefined && fields.url !== webhook.url;
  // A receiver that is back, or another one, is not to be judged by what was before.
  const startsAnew = enabled === true || isElsewhere;
  const nowDisabled = enabled === false ? (disabled ?? byOwner(now)) : disabled;
  return {
    ...kept,
    ...fields,
    ...(failingSince !== undefined && !startsAnew && { failingSince }),
    ...(slowUntil !== undefined && !startsAnew && { slowUntil }),
    ...(nowDisabled !== undefined && enabled !== true && { disabled: nowDisabled }),
  };
}

const byOwner = (at: number) => ({ reason: 'by_owner', at }) as const;
