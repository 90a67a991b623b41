import { invalidField, ServiceError } from '#shared/errors/service-error';
import {
  type OrganizationId,
  readOwnId,
  type WebhookId,
  webhookIdSchema,
} from '#shared/tokens/resource-id';
import { changeTimeOf, maxWebhooks, type Webhook } from './webhook.ts';
import type { WebhookUrlResult } from './webhook-url.ts';

export type FindWebhookDependencies = {
  readonly getWebhook: (id: WebhookId) => Promise<Webhook | undefined>;
};

/**
 * Finds an endpoint of the organization; another organization's is as unknown as one that never was.
 *
 * @throws ServiceError `webhook_not_found`
 */
export async function findWebhook(
  id: string,
  organizationId: OrganizationId,
  { getWebhook }: FindWebhookDependencies,
): Promise<Webhook> {
  const webhookId = readOwnId(webhookIdSchema, id, organizationId);
  const webhook = webhookId && (await getWebhook(webhookId));
  if (webhook === undefined) throw webhookNotFound();
  return webhook;
}

export type ChangeWebhookDependencies = FindWebhookDependencies & {
  readonly now: () => number;
  readonly replaceWebhook: (
    before: Webhook,
    after: Webhook,
  ) => Promise<'stored' | 'changed_meanwhile' | 'too_many'>;
};

const maxTries = 2;

/**
 * Changes an endpoint of the organization. When somebody else changes it at the same moment, the change
 * is made once more, to what they have left.
 *
 * @throws ServiceError `webhook_not_found`, `concurrent_change`, `too_many_webhooks`
 */
export async function changeWebhook(
  id: string,
  organizationId: OrganizationId,
  change: (webhook: Webhook, now: number) => Webhook,
  dependencies: ChangeWebhookDependencies,
): Promise<Webhook> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = await findWebhook(id, organizationId, dependencies);
    const now = dependencies.now();
    const after = { ...change(before, now), updatedAt: changeTimeOf(before, now) };
    const outcome = await dependencies.replaceWebhook(before, after);
    if (outcome === 'stored') return after;
    if (outcome === 'too_many') throw tooManyWebhooks();
  }
  throw new ServiceError(
    'concurrent_change',
    'The webhook is being changed by other requests. Read it again, then repeat your change.',
  );
}

/** @throws ServiceError `validation_failed` with what is wrong with the URL. */
export function requireValidUrl(result: WebhookUrlResult): void {
  if (!result.ok) throw invalidField('url', result.reason);
}

/** @throws ServiceError `webhook_disabled` */
export function requireEnabled({ disabled }: Webhook): void {
  if (disabled === undefined) return;
  throw new ServiceError(
    'webhook_disabled',
    'The webhook is disabled and gets nothing. Enable it with PATCH {"enabled": true}, then repeat.',
  );
}

export const webhookNotFound = (): ServiceError =>
  new ServiceError('webhook_not_found', 'There is no webhook with this id.');

export const tooManyWebhooks = (): ServiceError =>
  new ServiceError(
    'too_many_webhooks',
    `An organization has at most ${maxWebhooks} webhooks. Delete one that is not needed.`,
  );
