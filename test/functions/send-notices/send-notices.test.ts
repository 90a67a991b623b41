import { describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/errors/service-error';
import type { NoticeOutcome } from '#shared/notices/due-notice-store';
import { type Notice, sendKeyOf } from '#shared/notices/notice';
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

type World = {
  readonly organization?: Organization | undefined;
  readonly notices?: readonly Notice[];
  readonly overrides?: SendingOverrides;
  /** The deployment's own address. */
  readonly noticeFromEmail?: string;
};

/** An organization with a `noticeEmail` and a notice that is due to it. */
function prepare(world: World = {}) {
  const organization =
    'organization' in world
      ? world.organization
      : buildOrganization({ noticeEmail: 'ops@example.com' });
  const notice = buildNotice(organization?.id);
  const settled: NoticeOutcome[] = [];
  const postponed: number[] = [];
  const { sending, effects } = fakeSending({ organization }, world.overrides);
  const { log, lines } = recordLog();
  const all: NoticeSending = {
    ...sending,
    noticeFromEmail: world.noticeFromEmail,
    organizations: { get: async () => organization },
    dueNotices: fakeDueNoticeStore({
      find: async () => [...(world.notices ?? [notice])],
      settle: async (_notice, outcome) => {
        settled.push(outcome);
      },
      postpone: async (_notice, dueAt) => {
        postponed.push(dueAt);
      },
    }),
  };
  return { run: () => sendNotices(all, log), notice, settled, postponed, effects, lines };
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
        to: { address: 'ops@example.com' },
        subject: notice.subject,
        text: notice.text,
        html: undefined,
      },
    ]);
  });

  it('claims the idempotency key of cause and day, and counts against no key', async () => {
    const { run, notice, effects } = prepare();

    await run();

    expect(argsOf(effects, 'claims.claim')).toMatchObject([{ idempotencyKey: sendKeyOf(notice) }]);
    expect(effects.map(({ name }) => name)).not.toContain('rateWindows.count');
    expect(effects.map(({ name }) => name)).not.toContain('apiKeys.noteUse');
  });

  it('settles a notice whose email went out before', async () => {
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
  ])('tries again later while the organization %s', async (_how, overrides) => {
    const organization = buildOrganization({ noticeEmail: 'ops@example.com', ...overrides });
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
    "sends from the deployment's own address, in nobody's name, while the organization %s",
    async (_how, overrides) => {
      const organization = buildOrganization({
        noticeEmail: 'ops@example.com',
        senderName: 'Example Ltd',
        replyTo: 'help@example.com',
        tenant: { sending: 'enabled' },
        ...overrides,
      });
      const { run, settled, effects } = prepare({
        organization,
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
          replyTo: undefined,
        },
      ]);
    },
  );

  it("sends from the organization's own identity also where the deployment has an address", async () => {
    const { run, effects } = prepare({ noticeFromEmail: 'notices@service.example' });

    await run();

    expect(argsOf(effects, 'callProvider')).toMatchObject([
      { fromEmail: buildOrganization().identity?.fromEmail },
    ]);
  });

  it('goes on with the next notice when one fails, and says no address in the log', async () => {
    const other = buildNotice();
    let calls = 0;
    const read = async () => {
      calls += 1;
      if (calls === 1) throw new ServiceError('internal_error', 'for ops@example.com');
      return { apiKey: undefined, organization: buildOrganization(), contactOf: () => undefined };
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

  it('begins nothing more when its time is over', async () => {
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
