import type { WebhookId } from '#shared/tokens/resource-id';
import type { WebhookStore } from '#shared/webhooks/webhook-store';

type Read = { readonly at: number; readonly webhook: ReturnType<WebhookStore['get']> };

export function withSharedReads(
  webhooks: WebhookStore,
  forMs: number,
  now: () => number,
): WebhookStore {
  const reads = new Map<WebhookId, Read>();
  return {
    ...webhooks,
    get: (id) => {
      const known = reads.get(id);
      if (known !== undefined && now() - known.at < forMs) return known.webhook;
      const webhook = webhooks.get(id);
      reads.set(id, { at: now(), webhook });
      webhook.catch(() => reads.delete(id));
      return webhook;
    },
    replace: (before, after, alongside) => {
      reads.delete(before.id);
      return webhooks.replace(before, after, alongside).finally(() => reads.delete(before.id));
    },
  };
}
