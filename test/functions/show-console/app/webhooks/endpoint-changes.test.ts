import { describe, expect, it } from 'vitest';
import type { Webhook } from '../../../../../functions/show-console/app/webhooks/deliveries.ts';
import {
  changesOf,
  type TypedEndpoint,
} from '../../../../../functions/show-console/app/webhooks/endpoint-changes.ts';

const shown: TypedEndpoint & Pick<Webhook, keyof TypedEndpoint> = {
  url: 'https://example.com/hook',
  description: 'billing',
  eventTypes: ['email.bounced', 'email.delivered'],
  tags: ['kind:reset'],
  templates: [],
  format: 'resend',
  maxAttempts: 8,
};

/** The form as it was filled, but for these fields. */
const typedBut = (typed: Partial<TypedEndpoint>): TypedEndpoint => ({ ...shown, ...typed });

const sent = (typed: Partial<TypedEndpoint>, before = shown): unknown =>
  JSON.parse(JSON.stringify(changesOf(before, typedBut(typed))));

describe('changesOf', () => {
  it('sends nothing of a form that was left as it was, in whatever order its lists are', () => {
    expect(sent({ eventTypes: ['email.delivered', 'email.bounced'] })).toEqual({});
    expect(sent({ description: undefined }, { ...shown, description: '' })).toEqual({});
  });

  it.each([
    ['a URL', { url: 'https://example.com/new' }],
    ['an empty URL, for the service to refuse', { url: '' }],
    ['a description', { description: 'shop' }],
    ['event types', { eventTypes: ['email.bounced' as const] }],
    ['no event types, which means all', { eventTypes: [] }],
    ['tags', { tags: ['kind:reset', 'kind:receipt'] }],
    ['templates', { templates: ['tpl_1'] }],
  ])('sends only %s', (_, typed) => {
    expect(sent(typed)).toEqual(typed);
  });

  it('sends null for the format, and nothing for the description, that were taken away', () => {
    expect(sent({ format: undefined })).toEqual({ format: null });
    expect(sent({ description: undefined })).toEqual({ description: '' });
  });
});
