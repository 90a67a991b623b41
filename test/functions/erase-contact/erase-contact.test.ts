import { describe, expect, it } from 'vitest';
import { readRequestQuota } from '#shared/access/request-quota-store';
import { workBudgetMs } from '#shared/config/work-budget';
import type { SuppressionReason } from '#shared/contacts/contact';
import {
  ensureContact,
  getContact,
  eraseContact as storeErasure,
} from '#shared/contacts/contact-store';
import { statusOf } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';
import { putOrganization } from '#shared/organizations/organization-store';
import { findSendsTo } from '#shared/send-history/send-list-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import type { Send } from '#shared/sending/send';
import type { SuppressionDetails } from '#shared/suppressions/suppression';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import { contactIdOf } from '#shared/tokens/resource-id';
import {
  type Erasure,
  endpoint,
  endpoint as eraseContact,
} from '../../../functions/erase-contact/erase-contact.ts';
import { claimNow as startedAt, storeSend } from '../../support/claim-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import type { TableCall } from '../../support/memory-table/table-call.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { ann } from '../../support/recipient-builder.ts';
import { buildSend, newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';
import { storesOn } from './known-person.ts';

type World = {
  /** How many emails to Ann went out. */
  readonly count?: number;
  /** Of these emails, the newest first. */
  readonly sends?: readonly Partial<Send>[];
  readonly isKnown?: boolean;
  readonly hasQuota?: boolean;
  readonly forget?: Erasure['providerList']['forget'];
};

/** An organization that has sent to Ann, a second apart. */
async function openWorld({
  count = 0,
  sends = Array.from({ length: count }, () => ({})),
  isKnown = true,
  hasQuota = true,
  forget = async () => {},
}: World = {}) {
  const clock = { at: startedAt };
  const onCall = { before: async (_call: TableCall): Promise<unknown> => undefined };
  const { table, items } = openMemoryTable({
    intercept: async (call, run) => {
      await onCall.before(call);
      return run();
    },
  });
  const { organizationId, caller } = buildManager();
  const contactId = contactIdOf(organizationId, ann);
  await putOrganization(table, buildOrganization({ id: organizationId }));
  if (isKnown) await ensureContact(table, organizationId, ann, startedAt - 1_000);
  const stored = sends.map((send, index) =>
    buildSend({
      id: newSendId(organizationId),
      claimedAt: startedAt - index * 1_000,
      status: 'sent',
      ...send,
    }),
  );
  for (const send of stored) await storeSend(table, send);
  const counted = () => readRequestQuota(table, organizationId, 'CONTACTS', startedAt);
  const stores = storesOn(table);
  const erasure = {
    ...stores,
    limitsOfDeployment: hasQuota ? {} : { contactsPerDay: 0 },
    now: () => clock.at,
    providerList: { ...stores.providerList, forget },
  };
  const contact = () => getContact(table, contactId);
  const find = async () =>
    (await findSendsTo(table, contactId, { before: undefined, limit: 1_000 })).length;
  return {
    ...{ table, items, organizationId, contactId, clock, onCall, counted, contact, find },
    sends: stored,
    run: (email: string = ann, query: Record<string, string> = {}) =>
      eraseContact.run(
        {
          ...surroundings,
          caller,
          path: endpoint.path.parse({ email }),
          query: endpoint.query.parse(query),
        },
        erasure,
      ),
    suppress: (reason: SuppressionReason, details: SuppressionDetails = {}) =>
      suppressAddress(table, organizationId, { identity: ann, reason, details }, startedAt),
  };
}

const erased = { erasedAt: startedAt };

/** The first call of an erasure of a send. */
const isOfSend = (call: TableCall): boolean =>
  call.operation === 'GetItem' && `${call.input.Key?.['sk']?.S}`.startsWith('SEND');

describe('eraseContact', () => {
  it('anonymises the sends and erases the contact', async () => {
    const { run, find, contact, items } = await openWorld({ count: 2 });

    await run();

    expect(await find()).toBe(0);
    expect(await contact()).toMatchObject(erased);
    expect(JSON.stringify(items())).not.toContain(ann);
  });

  it("removes the address from SES's list in the spelling that bounced, while the contact is still known", async () => {
    const asked: unknown[] = [];
    const world = await openWorld({
      forget: async (of, spellings) => {
        asked.push([spellings, of, (await world.contact())?.email]);
      },
    });
    await world.suppress('bounce', { address: 'ANN@example.com', providerMessageId: 'm-1' });

    await world.run('Ann@example.com');

    const spellings = ['Ann@example.com', ann, 'ANN@example.com'];
    expect(asked).toEqual([[spellings, world.organizationId, ann]]);
    expect(await world.contact()).toMatchObject(erased);
  });

  it.each<[string, readonly SuppressionReason[]]>([
    ['nobody', []],
    ['an import', ['bounce']],
    ['the organization by hand', ['manual']],
  ])(
    "leaves SES's shared list alone when the address was suppressed by %s",
    async (_who, reasons) => {
      let isAsked = false;
      const { run, suppress } = await openWorld({
        forget: async () => {
          isAsked = true;
        },
      });
      for (const reason of reasons) await suppress(reason);

      await run();

      expect(isAsked).toBe(false);
    },
  );

  it('is unfinished while SES throttles calls about its list, and completed by a repetition', async () => {
    let isThrottled = true;
    const { run, contact, suppress } = await openWorld({
      forget: async () => {
        if (isThrottled) throw new ServiceError('provider_throttled', 'too fast');
      },
    });
    await suppress('bounce', { providerMessageId: 'm-1' });

    const error = await serviceErrorOf(() => run());
    const between = await contact();
    isThrottled = false;
    await run();

    expect(error).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 2 });
    expect(between).toHaveProperty('email', ann);
    expect(await contact()).toMatchObject(erased);
  });

  it('erases the same person however the address is written', async () => {
    const { run, contact } = await openWorld();

    await run(' Ann@Example.COM ');

    expect(await contact()).toMatchObject(erased);
  });

  it('does the same for an address that nobody knows, and counts it', async () => {
    const { run, contact, counted } = await openWorld({ isKnown: false });

    await run();

    expect(await contact()).toMatchObject(erased);
    expect(await counted()).toBe(1);
  });

  it('does the same for an address that was erased before, and counts it', async () => {
    const { run, contact, counted, table, contactId } = await openWorld();
    await storeErasure(table, contactId, startedAt - 1);

    await run();

    expect(await contact()).toMatchObject(erased);
    expect(await counted()).toBe(1);
  });

  it("stores nothing about an unknown address when the day's limit is used up", async () => {
    const { run, contact } = await openWorld({ isKnown: false, hasQuota: false });

    const error = await serviceErrorOf(() => run());

    expect(error.code).toBe('contact_limit_reached');
    expect(await contact()).toBeUndefined();
  });

  it('never refuses to erase somebody who got an email, with or without a contact', async () => {
    const { run, contact, counted } = await openWorld({
      count: 1,
      isKnown: false,
      hasQuota: false,
    });

    await run();

    expect(await contact()).toMatchObject(erased);
    expect(await counted()).toBe(0);
  });

  it('finds all sends, page by page, tests included', async () => {
    const sends = Array.from({ length: 250 }, () => ({}));
    const { run, find, items } = await openWorld({ sends: [...sends, { test: true }] });

    await run();

    expect(await find()).toBe(0);
    expect(JSON.stringify(items())).not.toContain(ann);
  });

  it.each([
    { query: {}, expires: false },
    { query: { sends: 'false' }, expires: false },
    { query: { sends: 'true' }, expires: true },
  ])('lets the sends expire only on request: $query', async ({ query, expires }) => {
    const { run, table, sends } = await openWorld({ count: 1 });

    await run(ann, query);

    const timeline = sends[0] && (await getTimeline(table, sends[0].id, startedAt));
    expect(timeline === undefined).toBe(expires);
  });

  it('works at 16 sends at a time', async () => {
    let underWay = 0;
    let most = 0;
    const { run, onCall } = await openWorld({ count: 100 });
    onCall.before = async (call) => {
      if (!isOfSend(call)) return;
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
    };

    await run();

    expect(most).toBe(16);
  });
});

describe('an erasure of more sends than one request can handle', () => {
  it('stops when its time is over, keeps the contact, and asks to be repeated', async () => {
    const { run, onCall, clock, find, contact } = await openWorld({ count: 250 });
    // The time is over in the middle of the second page.
    onCall.before = async (call) => {
      if (isOfSend(call)) clock.at += workBudgetMs / 160;
    };

    const error = await serviceErrorOf(() => run());

    expect(error).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 1 });
    const left = await find();
    expect(left).toBeGreaterThan(250 - 160 - 16);
    expect(left).toBeLessThanOrEqual(250 - 160 + 16);
    expect(await contact()).toHaveProperty('email', ann);
  });
});

describe('an erasure while an email to the address is under way', () => {
  const sendingUntil = (leaseExpiresAt: number) =>
    ({ status: 'sending', claimedAt: startedAt - 1_000, leaseExpiresAt }) as const;

  it('erases everything else, and asks to be repeated when that is over', async () => {
    const { run, find, contact, items } = await openWorld({
      sends: [sendingUntil(startedAt + 10_500), sendingUntil(startedAt + 60_500), {}],
    });

    const error = await serviceErrorOf(() => run());

    expect(error).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 61 });
    // Nothing is broken: a 5xx would ring the operator's alarm.
    expect(statusOf(error.code)).toBe(409);
    expect(await find()).toBe(2);
    expect(await contact()).toMatchObject(erased);
    expect(JSON.stringify(items())).not.toContain(ann);
  });

  it('asks to wait a second even if the attempt has ended by then', async () => {
    const { run, onCall, clock, find } = await openWorld({
      sends: [sendingUntil(startedAt + 10_500)],
    });
    onCall.before = async ({ operation }) => {
      if (operation === 'TransactWriteItems') clock.at = startedAt + 20_000;
    };

    const error = await serviceErrorOf(() => run());

    expect(error).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 1 });
    expect(await find()).toBe(1);
  });
});

describe('an erasure that fails half-way', () => {
  it('throws, and leaves the contact to the next request', async () => {
    const { run, onCall, contact } = await openWorld({ count: 3 });
    onCall.before = async ({ operation }) => {
      if (operation === 'UpdateItem') throw new Error('the table is gone');
    };

    await expect(run()).rejects.toThrow('the table is gone');

    expect(await contact()).toHaveProperty('email', ann);
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
