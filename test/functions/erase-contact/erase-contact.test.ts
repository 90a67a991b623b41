import { describe, expect, it } from 'vitest';
import type { Contact } from '#shared/contacts/contact';
import { statusOf } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';
import type { SendErasure, SendErasureOutcome } from '#shared/sends/send-erasure-store';
import { type ListedSend, sendPositionSchema } from '#shared/sends/send-list-store';
import type { Suppression } from '#shared/suppressions/suppression-list-store';
import { sortableTime } from '#shared/table/keys';
import {
  contactIdOf,
  type OrganizationId,
  type SlotId,
  slotIdOf,
} from '#shared/tokens/resource-id';
import {
  budgetMs,
  type Erasure,
  endpoint,
  endpoint as eraseContact,
} from '../../../functions/erase-contact/erase-contact.ts';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';
import { fakeDayQuotas } from '../../support/day-quota-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSuppression, fakeSuppressionList } from '../../support/suppression-stores.ts';
import { surroundings } from '../../support/surroundings.ts';
import { unexpected } from '../../support/unexpected.ts';

const startedAt = 1_750_000_000_000;

/** Builds sends to one recipient, newest first, a second apart. */
const sendsOf = (organizationId: OrganizationId, count: number): ListedSend[] =>
  Array.from({ length: count }, (_, index) => {
    const slotId = slotIdOf(organizationId, undefined);
    const position = `${sortableTime(startedAt - index * 1_000)}#${slotId.slice(-24)}`;
    return { slotId, position: sendPositionSchema.parse(position) };
  });

type Anonymise = (slotId: SlotId, erasure: SendErasure, now: number) => Promise<SendErasureOutcome>;

type World = {
  readonly count?: number;
  readonly now?: () => number;
  readonly anonymise?: Anonymise;
  readonly suppressions?: readonly Partial<Suppression>[];
  readonly forget?: Erasure['providerList']['forget'];
  /** Known, unless said otherwise. */
  readonly contact?: Contact | 'none';
  readonly hasRoom?: boolean;
};

/** Builds an organization that has sent to somebody. `effects` lists what the erasure does, in order. */
function buildWorld({
  count = 0,
  now = () => startedAt,
  anonymise,
  suppressions = [],
  forget = async () => {},
  contact = buildContact(),
  hasRoom = true,
}: World = {}) {
  const manager = buildManager();
  const log = sendsOf(manager.organizationId, count);
  const effects: string[] = [];
  const erasures: SendErasure[] = [];
  const erased: SlotId[] = [];
  const erasure: Erasure = {
    now,
    sends: {
      find: async (contactId, { before, limit }, mode) => {
        if (mode?.isTest) {
          effects.push(`find tests to ${contactId}`);
          return [];
        }
        effects.push(`find ${contactId}`);
        return log
          .filter(({ position }) => before === undefined || position < before)
          .slice(0, limit);
      },
      anonymise: async (slotId, sendErasure, at) => {
        const outcome = (await anonymise?.(slotId, sendErasure, at)) ?? { kind: 'anonymised' };
        effects.push('anonymise a send');
        erasures.push(sendErasure);
        erased.push(slotId);
        return outcome;
      },
    },
    suppressions: fakeSuppressionList(
      suppressions.map((one) => buildSuppression(manager.organizationId, one)),
    ),
    providerList: {
      forget: async (spellings, organizationId) => {
        effects.push(`remove ${spellings.join(' and ')} of ${organizationId} from the list of SES`);
        return forget(spellings, organizationId);
      },
    },
    contacts: {
      get: async () => (contact === 'none' ? undefined : contact),
      erase: async (contactId) => {
        effects.push(`erase ${contactId}`);
      },
    },
    ...fakeDayQuotas({
      take: async (_id, quota, amount) => {
        effects.push(`take ${amount} of ${quota}`);
        return hasRoom;
      },
    }),
    contactDeliveries: {
      anonymise: async (contactId, identity) => {
        effects.push(`anonymise deliveries of ${contactId} to ${identity}`);
      },
    },
  };
  const run = (email = 'ann@example.com', query: Record<string, string> = {}) =>
    eraseContact.run(
      {
        ...surroundings,
        caller: manager.caller,
        path: endpoint.path.parse({ email }),
        query: endpoint.query.parse(query),
      },
      erasure,
    );
  const contactId = contactIdOf(manager.organizationId, 'ann@example.com');
  return { run, effects, erasures, erased, log, contactId };
}

describe('eraseContact', () => {
  it('anonymises the sends, erases the contact, and then anonymises its webhook deliveries', async () => {
    const { run, effects, contactId } = buildWorld({ count: 2 });

    await run();

    expect(effects).toEqual([
      `find ${contactId}`,
      'anonymise a send',
      'anonymise a send',
      `find tests to ${contactId}`,
      `erase ${contactId}`,
      `anonymise deliveries of ${contactId} to ann@example.com`,
    ]);
  });

  it("removes the address from SES's list in the spelling that bounced, while the contact is still known", async () => {
    const { run, effects, contactId } = buildWorld({
      suppressions: [{ address: 'ANN@example.com', providerMessageId: 'm-1' }],
    });

    await run('Ann@example.com');

    expect(effects).toEqual([
      `find ${contactId}`,
      `find tests to ${contactId}`,
      expect.stringMatching(
        /^remove Ann@example.com and ann@example.com and ANN@example.com of org_/,
      ),
      `erase ${contactId}`,
      `anonymise deliveries of ${contactId} to ann@example.com`,
    ]);
  });

  it.each([
    ['nobody', []],
    ['an import', [{ reason: 'bounce' }]],
    ['the organization by hand', [{ reason: 'manual' }]],
  ] as const)(
    "leaves SES's shared list alone when the address was suppressed by %s",
    async (_who, suppressions) => {
      const { run } = buildWorld({ suppressions, forget: unexpected('providerList.forget') });

      await expect(run()).resolves.toBe(undefined);
    },
  );

  it('is unfinished while SES throttles calls about its list, and completed by a repetition', async () => {
    let isThrottled = true;
    const { run, effects, contactId } = buildWorld({
      suppressions: [{ providerMessageId: 'm-1' }],
      forget: async () => {
        if (isThrottled) throw new ServiceError('provider_throttled', 'too fast');
      },
    });

    const error = await serviceErrorOf(() => run());
    const between = [...effects];
    isThrottled = false;
    await run();

    expect(error).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 2 });
    expect(between).not.toContain(`erase ${contactId}`);
    expect(effects).toContain(`erase ${contactId}`);
  });

  it('erases the same person however the address is written', async () => {
    const { run, effects, contactId } = buildWorld();

    await run(' Ann@Example.COM ');

    expect(effects).toContain(`erase ${contactId}`);
  });

  it.each<[string, NonNullable<World['contact']>]>([
    ['nobody knows', 'none'],
    ['was erased before', buildErasedContact()],
  ])('does the same for an address that %s, and counts it', async (_what, contact) => {
    const { run, effects, contactId } = buildWorld({ contact });

    await expect(run()).resolves.toBe(undefined);

    expect(effects).toEqual([
      `find ${contactId}`,
      `find tests to ${contactId}`,
      'take 1 of CONTACTS',
      `erase ${contactId}`,
      `anonymise deliveries of ${contactId} to ann@example.com`,
    ]);
  });

  it("stores nothing about an unknown address when the day's limit is used up", async () => {
    const { run, effects, contactId } = buildWorld({ contact: 'none', hasRoom: false });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('contact_limit_reached');
    expect(effects).not.toContain(`erase ${contactId}`);
  });

  it('never refuses to erase somebody who got an email, with or without a contact', async () => {
    const { run, effects, contactId } = buildWorld({ count: 1, contact: 'none', hasRoom: false });

    await run();

    expect(effects).toContain(`erase ${contactId}`);
    expect(effects).not.toContain('take 1 of CONTACTS');
  });

  it('finds all sends, page by page, each once', async () => {
    const { run, erased, log } = buildWorld({ count: 250 });

    await run();

    expect(erased).toEqual(log.map(({ slotId }) => slotId));
  });

  it.each([
    { query: {}, expires: false },
    { query: { sends: 'false' }, expires: false },
    { query: { sends: 'true' }, expires: true },
  ])('lets the sends expire only on request: $query', async ({ query, expires }) => {
    const { run, erasures } = buildWorld({ count: 1 });

    await run('ann@example.com', query);

    expect(erasures).toEqual([{ identity: 'ann@example.com', expires }]);
  });

  it('works at 16 sends at a time', async () => {
    let underWay = 0;
    let most = 0;
    const { run } = buildWorld({
      count: 100,
      anonymise: async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise(setImmediate);
        underWay -= 1;
        return { kind: 'anonymised' };
      },
    });

    await run();

    expect(most).toBe(16);
  });
});

describe('an erasure of more sends than one request can handle', () => {
  /** Each send takes so long that the time is over in the middle of the second page. */
  function buildSlowWorld() {
    let clock = startedAt;
    return buildWorld({
      count: 250,
      now: () => clock,
      anonymise: async () => {
        clock += budgetMs / 160;
        return { kind: 'anonymised' };
      },
    });
  }

  it('stops when its time is over, keeps the contact, and asks to be repeated', async () => {
    const { run, erased, effects } = buildSlowWorld();

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 1 });
    expect(erased).toHaveLength(160);
    expect(effects.join()).not.toContain('erase');
  });
});

describe('an erasure while an email to the address is under way', () => {
  /** The first sends are being sent until then. */
  function underWay(...untils: number[]): Anonymise {
    return async () => {
      const until = untils.shift();
      return until === undefined ? { kind: 'anonymised' } : { kind: 'under_way', until };
    };
  }

  it('erases everything else, and asks to be repeated when that is over', async () => {
    const { run, effects, contactId } = buildWorld({
      count: 3,
      anonymise: underWay(startedAt + 10_500, startedAt + 60_500),
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 61 });
    // Nothing is broken: a 5xx would ring the operator's alarm.
    expect(statusOf(error.code)).toBe(409);
    expect(effects.filter((effect) => effect === 'anonymise a send')).toHaveLength(3);
    expect(effects.slice(-2)).toEqual([
      `erase ${contactId}`,
      `anonymise deliveries of ${contactId} to ann@example.com`,
    ]);
  });

  it('asks to wait a second even if the attempt has ended by then', async () => {
    const { run } = buildWorld({ count: 1, anonymise: underWay(startedAt - 1) });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 1 });
  });
});

describe('an erasure that fails half-way', () => {
  it('throws, and leaves the contact to the next request', async () => {
    const { run, effects } = buildWorld({
      count: 3,
      anonymise: async () => {
        throw new Error('the table is gone');
      },
    });

    await expect(run()).rejects.toThrow('the table is gone');

    expect(effects.join()).not.toContain('erase');
  });
});

describe('the request', () => {
  it.each(['nobody', 'Ann <ann@example.com>', 'ann@example.com\n', '', 'ann@', 'erased'])(
    "is rejected for a path that isn't a bare address: %j",
    (email) => {
      expect(endpoint.path.safeParse({ email }).success).toBe(false);
    },
  );

  it.each(['yes', '1', '', 'TRUE'])('is rejected for sends=%s', (sends) => {
    expect(endpoint.query.safeParse({ sends }).success).toBe(false);
  });
});
