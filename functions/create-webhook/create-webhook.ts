import { authenticateManager } from '#shared/organizations/authenticate-manager';
import { newWebhookId } from '#shared/tokens/resource-id';
import type { WebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { requireValidUrl, tooManyWebhooks } from '#shared/webhooks/manage-webhook';
import { newWebhookSecret } from '#shared/webhooks/signature';
import type { Webhook } from '#shared/webhooks/webhook';
import type { WebhookUrlResult } from '#shared/webhooks/webhook-url';
import type { CreateWebhookRequest } from './schema.ts';

export type CreateWebhookDependencies = Pick<
  WebhookDependencies,
  'now' | 'apiKeys' | 'putNewWebhook'
> & { readonly checkUrl: (url: string) => WebhookUrlResult };

/**
 * Creates a webhook endpoint, enabled, with a secret of its own.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `too_many_webhooks`
 */
export async function createWebhook(
  credential: string | undefined,
  parse: () => CreateWebhookRequest,
  dependencies: CreateWebhookDependencies,
): Promise<Webhook> {
  const organizationId = await authenticateManager(credential, dependencies);
  const request = parse();
  requireValidUrl(dependencies.checkUrl(request.url));
  const now = dependencies.now();
  const webhook: Webhook = {
    ...request,
    id: newWebhookId(organizationId),
    secret: newWebhookSecret(),
    previousSecrets: [],
    createdAt: now,
    updatedAt: now,
  };
  if ((await dependencies.putNewWebhook(webhook)) === 'too_many') throw tooManyWebhooks();
  return webhook;
}
