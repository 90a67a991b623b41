import { describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/errors/service-error';
import { newConfirmationRequest } from '#shared/notices/confirmation';
import { type Notice, type NoticeContent, noticeCauses, sendKeyOf } from '#shared/notices/notice';
import { storeNotice } from '#shared/notices/notice-store';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import { readDueNoticeIndexKey } from '#shared/table/keys';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import {
  type NoticeSending,
  sendNotices,
  workMs,
} from '../../../functions/send-notices/send-notices.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildNotice } from '../../support/notice-builder.ts';
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
  readonly overrides?: SendingOverrides;
  /** The deployment's own address. */
  readonly noticeFromEmail?: string;
};

/** An organization with a `noticeEmail` and a notice that is due to it. */
async function prepare(world: World = {}) {
  const organization =
    'organization' in world ? world.organization : buildOrganization(confirmedAddress);
  const notice = buildNotice(organization?.id, world.content);
  const { notices = [notice] } = world;
  const { table, items } = openMemoryTable();
  for (const id of new Set(notices.map(({ organizationId }) => organizationId))) {
    if (organization) await putOrganization(table, { ...organization, id });
  }
  for (const one of notices) await storeNotice(table, one);
  const { sending, effects } = fakeSending({ organization }, world.overrides);
  const { log, lines } = recordLog();
  const all: NoticeSending = { ...sending, table, noticeFromEmail: world.noticeFromEmail };
  return {
    run: () => sendNotices(all, log),
    notice,
    effects,
    lines,
    outcomes: () => items().flatMap(({ outcome }) => outcome ?? []),
    /** When those are due that weren't sent. */
    postponed: () =>
      items().flatMap(({ attempts, gsi1sk }) =>
        Number(attempts) > 0 ? [readDueNoticeIndexKey(`${gsi1sk}`)?.dueAt] : [],
      ),
    confirmationRequests: () => items().filter(({ cause }) => cause === 'confirmation'),
  };
}

const argsOf = (effects: Awaited<ReturnType<typeof prepare>>['effects'], name: string) =>
  effects.filter((effect) => effect.name === name).map(({ args }) => args[0]);

describe('sendNotices', () => {
  it("sends a notice in plain text from the organization's own identity", async () => {
    const { run, notice, outcomes, effects } = await prepare();

    await run();

    expect(outcomes()).toEqual(['sent']);
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
    const { run, notice, effects } = await prepare();

    await run();

    expect(argsOf(effects, 'claims.claim')).toMatchObject([{ idempotencyKey: sendKeyOf(notice) }]);
    expect(effects.map(({ name }) => name)).not.toContain('rateWindows.count');
    expect(effects.map(({ name }) => name)).not.toContain('noteKeyUse');
  });

  it('settles a notice whose email was already sent', async () => {
    const response = { sendId: newSendId(newOrganizationId()), status: 'sent' } as const;
    const replayed = await prepare({
      overrides: { claims: { claim: async () => ({ kind: 'replay', response }) } },
    });
    const reused = await prepare({
      overrides: { claims: { claim: async () => ({ kind: 'key_reused' }) } },
    });

    await replayed.run();
    await reused.run();

    expect([...replayed.outcomes(), ...reused.outcomes()]).toEqual(['sent', 'known']);
  });

  it.each([
    ['without a noticeEmail', buildOrganization()],
    ['that was deleted', undefined],
  ])('sends nothing to an organization %s', async (_which, organization) => {
    const { run, outcomes, effects } = await prepare({ organization });

    await run();

    expect(outcomes()).toEqual(['unaddressed']);
    expect(effects).toEqual([]);
  });

  it.each([
    ['is paused', { paused: true }],
    ['has no active identity', { identity: undefined }],
  ])('retries later while the organization %s', async (_how, overrides) => {
    const organization = buildOrganization({ ...confirmedAddress, ...overrides });
    const { run, outcomes, postponed } = await prepare({ organization });

    await run();

    expect(outcomes()).toEqual([]);
    expect(postponed()).toEqual([sendingNow + 5 * minuteMs]);
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
      const { run, outcomes, effects } = await prepare({
        organization,
        content: { cause: 'tenant_paused' },
        noticeFromEmail: 'notices@service.example',
        overrides: { usesTenants: true },
      });

      await run();

      expect(outcomes()).toEqual(['sent']);
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
    const worlds = await Promise.all(
      [{}, { noticeEmail: 'thief@example.com', noticeEmailState: 'pending' } as const].map(
        (settings) => {
          const organization = buildOrganization(settings);
          const notice = buildNotice(organization.id, { cause: 'sensitive_change' });
          return prepare({ organization, notices: [{ ...notice, to: 'ops@example.com' }] });
        },
      ),
    );

    for (const { run } of worlds) await run();

    expect(worlds.flatMap(({ outcomes }) => outcomes())).toEqual(['sent', 'sent']);
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
    const worlds = await Promise.all(
      causes.map((cause) =>
        prepare({ organization, content: { cause }, noticeFromEmail: 'notices@service.example' }),
      ),
    );

    for (const { run } of worlds) await run();

    expect(worlds.map(({ postponed }) => postponed().length)).toEqual(causes.map(() => 1));
    expect(worlds.flatMap(({ effects }) => argsOf(effects, 'callProvider'))).toEqual([]);
  });

  it.each(['pending', undefined] as const)(
    'sends nothing to an address in state %s, from any address',
    async (noticeEmailState) => {
      const address = {
        noticeEmail: 'ops@example.com',
        ...(noticeEmailState && { noticeEmailState }),
      };
      const worlds = await Promise.all(
        [{}, { paused: true }, { identity: undefined }].map((overrides) =>
          prepare({
            organization: buildOrganization({ ...address, ...overrides }),
            content: { cause: 'tenant_paused' },
            noticeFromEmail: 'notices@service.example',
          }),
        ),
      );

      for (const { run } of worlds) await run();

      expect(worlds.flatMap(({ outcomes }) => outcomes())).toEqual(worlds.map(() => 'unconfirmed'));
      expect(worlds.flatMap(({ effects }) => effects)).toEqual([]);
      expect(worlds.flatMap((world) => world.confirmationRequests())).toEqual([]);
    },
  );

  it('asks a pending address for confirmation once the domain is active', async () => {
    const organization = buildOrganization({ noticeEmail: 'ops@example.com' });
    const { run, outcomes, confirmationRequests } = await prepare({
      organization,
      content: { cause: 'identity_active' },
    });

    await run();

    expect(outcomes()).toEqual(['unconfirmed']);
    expect(confirmationRequests()).toEqual([
      expect.objectContaining(newConfirmationRequest(organization, sendingNow)),
    ]);
  });

  it("sends a pending address its link only from the organization's own domain", async () => {
    const organization = buildOrganization({ noticeEmail: 'ops@example.com' });
    const request = newConfirmationRequest(organization, sendingNow);
    const noticeFromEmail = 'notices@service.example';
    const active = await prepare({ organization, notices: [request], noticeFromEmail });
    const without = await prepare({
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
    expect(without.postponed()).toHaveLength(1);
    expect(argsOf(without.effects, 'callProvider')).toEqual([]);
  });

  it.each([
    ['is another by now', { noticeEmailVersion: 'next' }],
    ['is confirmed', { noticeEmailState: 'confirmed' }],
  ] as const)('sends no link to an address that %s', async (_how, overrides) => {
    const organization = buildOrganization({ noticeEmail: 'ops@example.com' });
    const request = newConfirmationRequest(organization, sendingNow);
    const { run, outcomes, effects } = await prepare({
      organization: { ...organization, ...overrides },
      notices: [request],
    });

    await run();

    expect(outcomes()).toEqual(['outdated']);
    expect(effects).toEqual([]);
  });

  it('sends no more than the daily limit, and settles the rest', async () => {
    const organizationId = newOrganizationId();
    const notices = Array.from({ length: 21 }, (_, index) =>
      buildNotice(organizationId, { about: `${index}` }),
    );
    const { run, outcomes, effects } = await prepare({ notices });

    // Each run takes a page of ten.
    for (let runs = 0; runs < 3; runs += 1) await run();

    expect(outcomes().toSorted()).toEqual(['over_limit', ...Array(20).fill('sent')]);
    expect(argsOf(effects, 'callProvider')).toHaveLength(20);
  });

  it("takes turns between organizations, so that none waits for another's backlog", async () => {
    const [one, other] = [newOrganizationId(), newOrganizationId()].toSorted();
    const noticesOf = (organizationId: OrganizationId | undefined, subjects: readonly string[]) =>
      subjects.map((subject, index) =>
        buildNotice(organizationId, { about: subject, subject }, sendingNow - 10 + index),
      );
    const { run, effects } = await prepare({
      notices: [...noticesOf(one, ['a1', 'a2', 'a3']), ...noticesOf(other, ['b1', 'b2'])],
    });

    await run();

    expect(argsOf(effects, 'callProvider')).toMatchObject(
      ['a1', 'b1', 'a2', 'b2', 'a3'].map((subject) => ({ subject })),
    );
  });

  it("prefers the organization's own identity even where the deployment has an address", async () => {
    const { run, effects } = await prepare({ noticeFromEmail: 'notices@service.example' });

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
    const { run, outcomes, postponed, lines } = await prepare({
      notices: [buildNotice(), other],
      overrides: { contexts: { readForService: read } },
    });

    await run();

    expect(postponed()).toHaveLength(1);
    expect(outcomes()).toEqual(['sent']);
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
    const { run, postponed } = await prepare({
      notices: [buildNotice(), buildNotice()],
      overrides,
    });

    await expect(run()).rejects.toThrow('no notice could be sent');

    expect(postponed()).toHaveLength(2);
  });

  it("doesn't fail when SES only throttles", async () => {
    const { run, postponed } = await prepare({
      overrides: { callProvider: async () => ({ kind: 'throttled' }) },
    });

    await run();

    expect(postponed()).toHaveLength(1);
  });

  it('starts nothing more when its time is over', async () => {
    let now = sendingNow;
    const { run, outcomes } = await prepare({
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

    expect(outcomes()).toEqual(['sent']);
  });
});
