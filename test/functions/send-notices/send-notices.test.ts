import { describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/errors/service-error';
import { newConfirmationRequest } from '#shared/notices/confirmation';
import type { NoticeOutcome } from '#shared/notices/due-notice-store';
import { type Notice, type NoticeContent, noticeCauses, sendKeyOf } from '#shared/notices/notice';
import type { Organization } from '#shared/organizations/organization';
import { newOrganizationId } from '#shared/tokens/resource-id';
import {
  type NoticeSending,
  sendNotices,
  workMs,
} from '../../../functions/send-notices/send-notices.ts';
import { buildNotice, fakeDueNoticeStore } from '../../support/notice-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { newSendId } from '../../support/send-builder.ts';
import { fakeSending, type SendingOverrides, sendingNow } from '../../support/sending-builder.ts';

const minuteMs = 60_000;
const confirmedAddress = { noticeEmail: 'ops@example.com', noticeEmailState: 'confirmed' } as const;

type World = {
  readonly organization?: Organization | undefined;
  readonly notices?: readonly Notice[];
  /** Of the one notice. */
  readonly content?: Partial<NoticeContent>;
  /** How many more emails the organization may get today. */
  readonly room?: number;
  readonly overrides?: SendingOverrides;
  /** The deployment's own address. */
  readonly noticeFromEmail?: string;
};

/** An organization with a `noticeEmail` and a notice that is due to it. */
function prepare(world: World = {}) {
  const organization =
    'organization' in world ? world.organization : buildOrganization(confirmedAddress);
  const notice = buildNotice(organization?.id, world.content);
  let room = world.room ?? Infinity;
  const asked: unknown[] = [];
  const settled: NoticeOutcome[] = [];
  const order: string[] = [];
  const postponed: number[] = [];
  const { sending, effects } = fakeSending({ organization }, world.overrides);
  const { log, lines } = recordLog();
  const all: NoticeSending = {
    ...sending,
    noticeFromEmail: world.noticeFromEmail,
    organizations: { get: async () => organization },
    confirmations: {
      requestBeside: async ({ noticeEmail }) => {
        asked.push(noticeEmail);
      },
    },
    dueNotices: fakeDueNoticeStore({
      find: async function* () {
        const notices = world.notices ?? [notice];
        yield* Map.groupBy(notices, ({ organizationId }) => organizationId).values();
      },
      admit: async () => {
        room -= 1;
        return room < 0 ? 'over_limit' : 'admitted';
      },
      settle: async ({ about }, outcome) => {
        order.push(about);
        settled.push(outcome);
      },
      postpone: async (_notice, dueAt) => {
        postponed.push(dueAt);
      },
    }),
  };
  const run = () => sendNotices(all, log);
  return { run, notice, settled, order, asked, postponed, effects, lines };
}

const argsOf = (effects: ReturnType<typeof prepare>['effects'], name: string) =>
  effects.filter((effect) => effect.name === name).map(({ args }) => args[0]);

describe('sendNotices', () => {
  it("sends a notice in plain text from the organization's own identity", async () => {
    const { run, notice, settled, effects } = prepare();

    await run();

    expect(settled).toEqual(['sent']);
    expect(argsOf(effects, 'callProvider')).toMatchObject([
      {
        organizationId: notice.organizationId,
        fromEmail: buildOrganization().identity?.fromEmail,
        to: [{ address: 'ops@example.com' }],
        subject: notice.subject,
        text: notice.text,
        html: undefined,
      },
    ]);
  });

  it('claims an idempotency key of cause and day, and counts against no key', async () => {
    const { run, notice, effects } = prepare();

    await run();

    expect(argsOf(effects, 'claims.claim')).toMatchObject([{ idempotencyKey: sendKeyOf(notice) }]);
    expect(effects.map(({ name }) => name)).not.toContain('rateWindows.count');
    expect(effects.map(({ name }) => name)).not.toContain('apiKeys.noteUse');
  });

  it('settles a notice whose email was already sent', async () => {
    const response = { sendId: newSendId(newOrganizationId()), status: 'sent' } as const;
    const replayed = prepare({
      overrides: { claims: { claim: async () => ({ kind: 'replay', response }) } },
    });
    const reused = prepare({
      overrides: { claims: { claim: async () => ({ kind: 'key_reused' }) } },
    });

    await replayed.run();
    await reused.run();

    expect([...replayed.settled, ...reused.settled]).toEqual(['sent', 'known']);
  });

  it.each([
    ['without a noticeEmail', buildOrganization()],
    ['that was deleted', undefined],
  ])('sends nothing to an organization %s', async (_which, organization) => {
    const { run, settled, effects } = prepare({ organization });

    await run();

    expect(settled).toEqual(['unaddressed']);
    expect(effects).toEqual([]);
  });

  it.each([
    ['is paused', { paused: true }],
    ['has no active identity', { identity: undefined }],
  ])('retries later while the organization %s', async (_how, overrides) => {
    const organization = buildOrganization({ ...confirmedAddress, ...overrides });
    const { run, settled, postponed } = prepare({ organization });

    await run();

    expect(settled).toEqual([]);
    expect(postponed).toEqual([sendingNow + 5 * minuteMs]);
  });

  it.each([
    ['is paused', { paused: true }],
    ['has lost its identity', { identity: undefined }],
    ['is paused by SES', { tenant: { sending: 'paused', reason: 'Too many bounces' } as const }],
  ])(
    "sends from the deployment's own address, for no organization, while the organization %s",
    async (_how, overrides) => {
      const organization = buildOrganization({
        ...confirmedAddress,
        senderName: 'Example Ltd',
        replyTo: 'help@example.com',
        tenant: { sending: 'enabled' },
        ...overrides,
      });
      const { run, settled, effects } = prepare({
        organization,
        content: { cause: 'tenant_paused' },
        noticeFromEmail: 'notices@service.example',
        overrides: { usesTenants: true },
      });

      await run();

      expect(settled).toEqual(['sent']);
      expect(argsOf(effects, 'callProvider')).toMatchObject([
        {
          fromEmail: 'notices@service.example',
          tenantName: undefined,
          senderName: undefined,
          replyTo: [],
        },
      ]);
    },
  );

  it('notifies the previous address when it is replaced, whatever the new one is', async () => {
    const worlds = [
      {},
      { noticeEmail: 'thief@example.com', noticeEmailState: 'pending' } as const,
    ].map((settings) => {
      const organization = buildOrganization(settings);
      const notice = buildNotice(organization.id, { cause: 'sensitive_change' });
      return prepare({ organization, notices: [{ ...notice, to: 'ops@example.com' }] });
    });

    for (const { run } of worlds) await run();

    expect(worlds.flatMap(({ settled }) => settled)).toEqual(['sent', 'sent']);
    const sent = worlds.flatMap(({ effects }) => argsOf(effects, 'callProvider'));
    expect(sent).toHaveLength(2);
    expect(JSON.stringify(sent)).not.toContain('thief@');
    expect(JSON.stringify(sent).match(/ops@example\.com/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it("sends nothing else from the deployment's own address", async () => {
    const organization = buildOrganization({ ...confirmedAddress, paused: true });
    const causes = noticeCauses.filter(
      (cause) => !['identity_lost', 'tenant_paused', 'confirmation'].includes(cause),
    );
    const worlds = causes.map((cause) =>
      prepare({ organization, content: { cause }, noticeFromEmail: 'notices@service.example' }),
    );

    for (const { run } of worlds) await run();

    expect(worlds.map(({ postponed }) => postponed.length)).toEqual(causes.map(() => 1));
    expect(worlds.flatMap(({ effects }) => argsOf(effects, 'callProvider'))).toEqual([]);
  });

  it.each(['pending', undefined] as const)(
    'sends nothing to an address in state %s, from any address',
    async (noticeEmailState) => {
      const address = {
        noticeEmail: 'ops@example.com',
        ...(noticeEmailState && { noticeEmailState }),
      };
      const worlds = [{}, { paused: true }, { identity: undefined }].map((overrides) =>
        prepare({
          organization: buildOrganization({ ...address, ...overrides }),
          content: { cause: 'tenant_paused' },
          noticeFromEmail: 'notices@service.example',
        }),
      );

      for (const { run } of worlds) await run();

      expect(worlds.flatMap(({ settled }) => settled)).toEqual(worlds.map(() => 'unconfirmed'));
      expect(worlds.flatMap(({ effects }) => effects)).toEqual([]);
      expect(worlds.flatMap(({ asked }) => asked)).toEqual([]);
    },
  );

  it('asks a pending address for confirmation once the domain is active', async () => {
    const organization = buildOrganization({ noticeEmail: 'ops@example.com' });
    const { run, settled, asked } = prepare({
      organization,
      content: { cause: 'identity_active' },
    });

    await run();

    expect(settled).toEqual(['unconfirmed']);
    expect(asked).toEqual(['ops@example.com']);
  });

  it("sends a pending address its link only from the organization's own domain", async () => {
    const organization = buildOrganization({ noticeEmail: 'ops@example.com' });
    const request = newConfirmationRequest(organization, sendingNow);
    const noticeFromEmail = 'notices@service.example';
    const active = prepare({ organization, notices: [request], noticeFromEmail });
    const without = prepare({
      organization: { ...organization, identity: undefined },
      notices: [request],
      noticeFromEmail,
    });

    await active.run();
    await without.run();

    expect(argsOf(active.effects, 'callProvider')).toMatchObject([
      {
        fromEmail: organization.identity?.fromEmail,
        to: [{ address: 'ops@example.com' }],
        text: expect.stringContaining('/notices/confirmation?token='),
      },
    ]);
    expect(without.postponed).toHaveLength(1);
    expect(argsOf(without.effects, 'callProvider')).toEqual([]);
  });

  it.each([
    ['is another by now', { noticeEmailVersion: 'next' }],
    ['is confirmed', { noticeEmailState: 'confirmed' }],
  ] as const)('sends no link to an address that %s', async (_how, overrides) => {
    const organization = buildOrganization({ noticeEmail: 'ops@example.com' });
    const request = newConfirmationRequest(organization, sendingNow);
    const { run, settled, effects } = prepare({
      organization: { ...organization, ...overrides },
      notices: [request],
    });

    await run();

    expect(settled).toEqual(['outdated']);
    expect(effects).toEqual([]);
  });

  it('sends no more than the daily limit, and settles the rest', async () => {
    const organizationId = newOrganizationId();
    const notices = ['a', 'b', 'c'].map((about) => buildNotice(organizationId, { about }));
    const { run, settled, effects } = prepare({ notices, room: 2 });

    await run();

    expect(settled).toEqual(['sent', 'sent', 'over_limit']);
    expect(argsOf(effects, 'callProvider')).toHaveLength(2);
  });

  it("takes turns between organizations, so that none waits for another's backlog", async () => {
    const [one, other] = [newOrganizationId(), newOrganizationId()];
    const notices = [
      ...['a1', 'a2', 'a3'].map((about) => buildNotice(one, { about })),
      ...['b1', 'b2'].map((about) => buildNotice(other, { about })),
    ];
    const { run, order } = prepare({ notices });

    await run();

    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it("prefers the organization's own identity even where the deployment has an address", async () => {
    const { run, effects } = prepare({ noticeFromEmail: 'notices@service.example' });

    await run();

    expect(argsOf(effects, 'callProvider')).toMatchObject([
      { fromEmail: buildOrganization().identity?.fromEmail },
    ]);
  });

  it('continues with the next notice when one fails, and logs no address', async () => {
    const other = buildNotice();
    let calls = 0;
    const read = async () => {
      calls += 1;
      if (calls === 1) throw new ServiceError('internal_error', 'for ops@example.com');
      return {
        apiKey: undefined,
        organization: buildOrganization(confirmedAddress),
        contactOf: () => undefined,
      };
    };
    const { run, settled, postponed, lines } = prepare({
      notices: [buildNotice(), other],
      overrides: { contexts: { readForService: read } },
    });

    await run();

    expect(postponed).toHaveLength(1);
    expect(settled).toEqual(['sent']);
    expect(lines.map(({ message }) => message)).toContain('notice not sent');
  });

  it.each<[string, SendingOverrides]>([
    ['SES rejects', { callProvider: async () => ({ kind: 'rejected', reason: 'AccessDenied' }) }],
    [
      'the table refuses',
      {
        claims: {
          claim: async () => {
            throw new Error('AccessDenied');
          },
        },
      },
    ],
  ])('fails when %s every notice, so that the alarm goes off', async (_who, overrides) => {
    const { run, postponed } = prepare({ notices: [buildNotice(), buildNotice()], overrides });

    await expect(run()).rejects.toThrow('no notice could be sent');

    expect(postponed).toHaveLength(2);
  });

  it("doesn't fail when SES only throttles", async () => {
    const { run, postponed } = prepare({
      overrides: { callProvider: async () => ({ kind: 'throttled' }) },
    });

    await run();

    expect(postponed).toHaveLength(1);
  });

  it('starts nothing more when its time is over', async () => {
    let now = sendingNow;
    const { run, settled } = prepare({
      notices: [buildNotice(), buildNotice()],
      overrides: {
        now: () => now,
        callProvider: async () => {
          now += workMs;
          return { kind: 'accepted', providerMessageId: 'message-1' };
        },
      },
    });

    await run();

    expect(settled).toEqual(['sent']);
  });
});
