import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  wantsEvent,
  webhookEventTypes,
  webhookSubscriptionsSchema,
} from '#shared/organizations/webhook-subscriptions';

const reset = { tags: { kind: 'reset', env: 'prod' }, templateId: 'tpl_1' };
const wanting = (filters: { readonly tags?: string[]; readonly templates?: string[] }) => ({
  eventTypes: [],
  ...filters,
});

describe('an endpoint', () => {
  it.each([
    [{}, true],
    [{ tags: [], templates: [] }, true],
    [{ tags: ['kind:reset'] }, true],
    [{ tags: ['kind:welcome', 'kind:reset'] }, true],
    [{ tags: ['kind:welcome'] }, false],
    [{ tags: ['reset:kind'] }, false],
    [{ templates: ['tpl_2', 'tpl_1'] }, true],
    [{ templates: ['tpl_2'] }, false],
    [{ tags: ['kind:reset'], templates: ['tpl_1'] }, true],
    [{ tags: ['kind:reset'], templates: ['tpl_2'] }, false],
    [{ tags: ['kind:welcome'], templates: ['tpl_1'] }, false],
  ])('with the filters %o wants an email of a template with two tags: %s', (filters, wants) => {
    expect(wantsEvent(wanting(filters), 'email.bounced', reset)).toBe(wants);
  });

  it('with a filter wants nothing that is no email, and no email without tags or template', () => {
    for (const filters of [{ tags: ['kind:reset'] }, { templates: ['tpl_1'] }]) {
      expect(wantsEvent(wanting(filters), 'suppression.added', undefined)).toBe(false);
      expect(wantsEvent(wanting(filters), 'email.sent', {})).toBe(false);
    }
  });

  it('that names types gets no other, whatever its filters', () => {
    fc.assert(
      fc.property(
        fc.subarray([...webhookEventTypes], { minLength: 1 }),
        fc.constantFrom(...webhookEventTypes),
        fc.subarray(['kind:reset', 'kind:welcome']),
        (eventTypes, type, tags) => {
          const wants = wantsEvent({ eventTypes, tags }, type, reset);
          const fits = tags.length === 0 || tags.includes('kind:reset');
          expect(wants).toBe(eventTypes.includes(type) && fits);
        },
      ),
    );
  });

  it('that names none gets all but what is only for those that name it', () => {
    const subscribed = webhookEventTypes.filter((type) =>
      wantsEvent({ eventTypes: [] }, type, reset),
    );

    const onlyByName: readonly string[] = ['email.queued', 'audit.recorded'];
    expect(subscribed).toEqual(webhookEventTypes.filter((type) => !onlyByName.includes(type)));
  });

  it('that a later version has subscribed to a type of its own is read, and wants nothing else', () => {
    const stored = { whk_1: { eventTypes: ['email.teleported'] } };
    const [subscription] = Object.values(webhookSubscriptionsSchema.parse(stored));

    expect(subscription && wantsEvent(subscription, 'email.sent', {})).toBe(false);
  });
});
