import type { Input } from '../../../api.ts';
import { changeOf, knownAmong, listChangeOf, requiredChangeOf } from '../shared/changes.ts';
import { type EventType, eventTypes, type Webhook } from './deliveries.ts';

/** What a form says about an endpoint. */
export type TypedEndpoint = {
  readonly url: string;
  readonly description?: string | undefined;
  readonly eventTypes: EventType[];
  readonly tags: string[];
  readonly templates: string[];
  readonly format?: Webhook['format'];
  readonly maxAttempts?: number;
};

/** Only what differs, so that the rest stays as a colleague may have changed it since. */
export const changesOf = (
  shown: Pick<Webhook, keyof TypedEndpoint>,
  typed: TypedEndpoint,
): Input<'PATCH /api/v1/webhooks/{id}'>['body'] => ({
  url: requiredChangeOf(shown.url, typed.url),
  description: requiredChangeOf(shown.description, typed.description),
  eventTypes: listChangeOf(knownAmong(shown.eventTypes, eventTypes), typed.eventTypes),
  tags: listChangeOf(shown.tags, typed.tags),
  templates: listChangeOf(shown.templates, typed.templates),
  format: changeOf(shown.format, typed.format),
  maxAttempts: changeOf(shown.maxAttempts, typed.maxAttempts),
});
