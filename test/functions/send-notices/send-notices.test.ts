import { describe, expect, it } from 'vitest';
import type { ApiKey } from '#shared/access/api-key';
import { putApiKey } from '#shared/access/api-key-store';
import type { OutgoingEmail, ProviderOutcome } from '#shared/email/email-provider';
import { createRefusals } from '#shared/email/refusals';
import { newConfirmationRequest } from '#shared/notices/confirmation';
import { pageSize } from '#shared/notices/due-notice-store';
import {
  isToPerson,
  type Notice,
  type NoticeContent,
  noticeCauses,
  sendKeyOf,
} from '#shared/notices/notice';
import { putNotice, storeNotice } from '#shared/notices/notice-store';
import { newInvitationNotice } from '#shared/notices/people-notice';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import { toSend } from '#shared/sending/send-items';
import { readDueNoticeIndexKey } from '#shared/table/keys';
import { sendSortKey } from '#shared/table/send-keys';
import { transactWrite } from '#shared/table/writes';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { sendNotices, workMs } from '../../../functions/send-notices/send-notices.ts';
import { nameOfCall } from '../../schedules/call-names.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildNotice, noticeNow } from '../../support/notice-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { sendingOn } from '../../support/send-world.ts';

const minuteMs = 60_000;
const pendingAddress = { noticeEmail: 'ops@example.com', noticeEmailState: 'pending' } as const;
const confirmedAddress = { noticeEmail: 'ops@example.com', noticeEmailState: 'confirmed' } as const;
const noticeFromEmail = 'notices@service.example';

type World = {
  readonly organization?: Organization | undefined;
  readonly notices?: readonly Notice[];
  /** Whose invitations and links are filed. */
  readonly person?: ApiKey;
  /** Of the one notice. */
  readonly content?: Partial<NoticeContent>;
  readonly usesTenants?: boolean;
  /** The deployment's own address. */
  readonly noticeFromEmail?: string;
};

/** An organization with a `noticeEmail` and a notice that is due to it. */
async function prepare(given: World = {}) {
  const organization =
    'organization' in given ? given.organization : buildOrganization(confirmedAddress);
  const notice = buildNotice(organization?.id, given.content);
  const { notices = [notice] } = given;
  const mailbox: OutgoingEmail[] = [];
  const { log, lines } = recordLog();
  const world = {
    notice,
    mailbox,
    lines,
    now: noticeNow,
    ses: (): ProviderOutcome => ({
      kind: 'accepted',
      providerMessageId: `message-${mailbox.length}`,
    }),
    /** Runs before a call of the table, which fails if this throws. */
    disturb: (_call: string): void => {},
  };
  const { table, items } = openMemoryTable({
    intercept: async (call, run) => {
      world.disturb(nameOfCall(call));
      return run();
    },
  });
  for (const id of new Set(notices.map(({ organizationId }) => organizationId))) {
    if (organization) await putOrganization(table, { ...organization, id });
  }
  if (given.person) await putApiKey(table, given.person);
  for (const one of notices) await storeNotice(table, one);
  const hand = async (email: OutgoingEmail) => {
    mailbox.push(email);
    return world.ses();
  };
  const sending = sendingOn(table, {
    now: () => world.now,
    email: { send: hand, sendTest: hand, refusals: createRefusals() },
  });
  const all = {
    ...sending,
    settings: { ...sending.settings, usesTenants: given.usesTenants ?? false },
    noticeFromEmail: given.noticeFromEmail,
    alerts: { post: async () => expect.fail('there are no targets') },
  };
  return Object.assign(world, {
    run: () => sendNotices(all, log),
    /** Files it again, with other words. */
    refile: (changes: Partial<Notice>) =>
      transactWrite(table, [putNotice({ ...notice, ...changes })]),
    items,
    sends: () => items().flatMap((item) => (item['sk'] === sendSortKey ? [toSend(item)] : [])),
    outcomes: () => items().flatMap(({ outcome }) => outcome ?? []),
    /** When those are due that weren't sent. */
    postponed: () =>
      items().flatMap(({ attempts, gsi1sk }) =>
        Number(attempts) > 0 ? [readDueNoticeIndexKey(`${gsi1sk}`)?.dueAt] : [],
      ),
    confirmationRequests: () => items().filter(({ cause }) => cause === 'confirmation'),
  });
}

const failOn = (world: Awaited<ReturnType<typeof prepare>>, call: string, times = Infinity) => {
  let left = times;
  world.disturb = (name) => {
    if (name !== call || left === 0) return;
    left -= 1;
    throw new Error('for ops@example.com');
  };
};

describe('sendNotices', () => {
  it("sends a notice in plain text from the organization's own identity", async () => {
    const { run, notice, outcomes, mailbox } = await prepare();

    await run();

    expect(outcomes()).toEqual(['sent']);
    expect(mailbox).toMatchObject([
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
    const { run, notice, sends, items } = await prepare();

    await run();

    expect(sends()).toMatchObject([{ idempotencyKey: sendKeyOf(notice), apiKeyId: undefined }]);
    expect(items().filter((item) => 'requests' in item)).toEqual([]);
  });

  it('sends a notice once, even if the first run dies before it settles it', async () => {
    const world = await prepare();
    failOn(world, `UpdateItem ${world.notice.day}`);
    await expect(world.run()).rejects.toThrow('no notice could be sent');
    world.disturb = () => {};

    await world.run();

    expect(world.mailbox).toHaveLength(1);
    expect(world.outcomes()).toEqual(['sent']);
  });

  it('sends no second notice of the same cause and day in other words', async () => {
    const { run, refile, outcomes, mailbox } = await prepare();
    await run();
    await refile({ text: 'In 2025-06, something else …' });

    await run();

    expect(mailbox).toHaveLength(1);
    expect(outcomes()).toEqual(['known']);
  });

  it.each([
    ['without a noticeEmail', buildOrganization()],
    ['that was deleted', undefined],
  ])('sends nothing to an organization %s', async (_which, organization) => {
    const { run, outcomes, mailbox, sends } = await prepare({ organization });

    await run();

    expect(outcomes()).toEqual(['unaddressed']);
    expect([...mailbox, ...sends()]).toEqual([]);
  });

  it.each([
    ['is paused', { paused: true }],
    ['has no active identity', { identity: undefined }],
  ])('retries later while the organization %s', async (_how, overrides) => {
    const organization = buildOrganization({ ...confirmedAddress, ...overrides });
    const { run, outcomes, postponed } = await prepare({ organization });

    await run();

    expect(outcomes()).toEqual([]);
    expect(postponed()).toEqual([noticeNow + 5 * minuteMs]);
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
      const { run, outcomes, mailbox } = await prepare({
        organization,
        content: { cause: 'tenant_paused' },
        noticeFromEmail,
        usesTenants: true,
      });

      await run();

      expect(outcomes()).toEqual(['sent']);
      expect(mailbox).toMatchObject([
        {
          fromEmail: noticeFromEmail,
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
    const sent = worlds.flatMap(({ mailbox }) => mailbox);
    expect(sent).toHaveLength(2);
    expect(JSON.stringify(sent)).not.toContain('thief@');
    expect(JSON.stringify(sent).match(/ops@example\.com/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it("sends nothing else from the deployment's own address", async () => {
    const organization = buildOrganization({ ...confirmedAddress, paused: true });
    const causes = noticeCauses.filter(
      (cause) =>
        !['identity_lost', 'tenant_paused', 'confirmation'].includes(cause) && !isToPerson(cause),
    );
    const worlds = await Promise.all(
      causes.map((cause) => prepare({ organization, content: { cause }, noticeFromEmail })),
    );

    for (const { run } of worlds) await run();

    expect(worlds.map(({ postponed }) => postponed().length)).toEqual(causes.map(() => 1));
    expect(worlds.flatMap(({ mailbox }) => mailbox)).toEqual([]);
  });

  it('mails people from the deployment if it must, whoever gets notices, and however many', async () => {
    const organization = buildOrganization({ identity: undefined });
    const { apiKey } = buildApiKey({
      organizationId: organization.id,
      person: { email: 'carol@example.com', role: 'support' },
      createdAt: noticeNow,
    });
    const invited = newInvitationNotice(apiKey, organization.name, noticeNow);
    const notices = Array.from({ length: 30 }, (_, number) => ({
      ...invited,
      about: `${apiKey.id}-${noticeNow + number}`,
    }));
    const { run, mailbox, outcomes } = await prepare({
      organization,
      notices,
      person: apiKey,
      noticeFromEmail,
    });

    // A run sends a page of an organization's notices.
    for (let runs = 0; runs < notices.length / pageSize; runs += 1) await run();

    expect(outcomes()).toEqual(notices.map(() => 'sent'));
    expect(mailbox.map(({ to }) => to[0]?.address)).toEqual(notices.map(() => 'carol@example.com'));
  });

  it('mails nobody who was removed since, and nobody for a paused organization from the deployment', async () => {
    const organization = buildOrganization({ paused: true });
    const { apiKey } = buildApiKey({
      organizationId: organization.id,
      person: { email: 'carol@example.com', role: 'support' },
      createdAt: noticeNow,
    });
    const notices = [newInvitationNotice(apiKey, organization.name, noticeNow)];
    const removed = { ...apiKey, revokedAt: noticeNow };
    const worlds = [
      await prepare({ organization, notices, person: removed, noticeFromEmail }),
      await prepare({ organization, notices, person: apiKey, noticeFromEmail }),
    ];

    for (const { run } of worlds) await run();

    expect(worlds.map(({ outcomes }) => outcomes())).toEqual([['outdated'], []]);
    expect(worlds.flatMap(({ mailbox }) => mailbox)).toEqual([]);
  });

  it('sends nothing to a pending address, from any address', async () => {
    const worlds = await Promise.all(
      [{}, { paused: true }, { identity: undefined }].map((overrides) =>
        prepare({
          organization: buildOrganization({ ...pendingAddress, ...overrides }),
          content: { cause: 'tenant_paused' },
          noticeFromEmail,
        }),
      ),
    );

    for (const { run } of worlds) await run();

    expect(worlds.flatMap(({ outcomes }) => outcomes())).toEqual(worlds.map(() => 'unconfirmed'));
    expect(worlds.flatMap(({ mailbox, sends }) => [...mailbox, ...sends()])).toEqual([]);
    expect(worlds.flatMap((world) => world.confirmationRequests())).toEqual([]);
  });

  it('asks a pending address for confirmation once the domain is active', async () => {
    const organization = buildOrganization(pendingAddress);
    const { run, outcomes, confirmationRequests } = await prepare({
      organization,
      content: { cause: 'identity_active' },
    });

    await run();

    expect(outcomes()).toEqual(['unconfirmed']);
    expect(confirmationRequests()).toEqual([
      expect.objectContaining(newConfirmationRequest(organization, noticeNow)),
    ]);
  });

  it("sends a pending address its link only from the organization's own domain", async () => {
    const organization = buildOrganization(pendingAddress);
    const request = newConfirmationRequest(organization, noticeNow);
    const active = await prepare({ organization, notices: [request], noticeFromEmail });
    const without = await prepare({
      organization: { ...organization, identity: undefined },
      notices: [request],
      noticeFromEmail,
    });

    await active.run();
    await without.run();

    expect(active.mailbox).toMatchObject([
      {
        fromEmail: organization.identity?.fromEmail,
        to: [{ address: 'ops@example.com' }],
        text: expect.stringContaining('/notices/confirmation?token='),
      },
    ]);
    expect(without.postponed()).toHaveLength(1);
    expect(without.mailbox).toEqual([]);
  });

  it.each([
    ['is another by now', { noticeEmailVersion: 'next' }],
    ['is confirmed', { noticeEmailState: 'confirmed' }],
  ] as const)('sends no link to an address that %s', async (_how, overrides) => {
    const organization = buildOrganization(pendingAddress);
    const request = newConfirmationRequest(organization, noticeNow);
    const { run, outcomes, mailbox, sends } = await prepare({
      organization: { ...organization, ...overrides },
      notices: [request],
    });

    await run();

    expect(outcomes()).toEqual(['outdated']);
    expect([...mailbox, ...sends()]).toEqual([]);
  });

  it('sends no more than the daily limit, and settles the rest', async () => {
    const organizationId = newOrganizationId();
    const notices = Array.from({ length: 21 }, (_, index) =>
      buildNotice(organizationId, { about: `${index}` }),
    );
    const { run, outcomes, mailbox } = await prepare({ notices });

    // Each run takes a page of ten.
    for (let runs = 0; runs < 3; runs += 1) await run();

    expect(outcomes().toSorted()).toEqual(['over_limit', ...Array(20).fill('sent')]);
    expect(mailbox).toHaveLength(20);
  });

  it("takes turns between organizations, so that none waits for another's backlog", async () => {
    const [one, other] = [newOrganizationId(), newOrganizationId()].toSorted();
    const noticesOf = (organizationId: OrganizationId | undefined, subjects: readonly string[]) =>
      subjects.map((subject, index) =>
        buildNotice(organizationId, { about: subject, subject }, noticeNow - 10 + index),
      );
    const { run, mailbox } = await prepare({
      notices: [...noticesOf(one, ['a1', 'a2', 'a3']), ...noticesOf(other, ['b1', 'b2'])],
    });

    await run();

    expect(mailbox).toMatchObject(['a1', 'b1', 'a2', 'b2', 'a3'].map((subject) => ({ subject })));
  });

  it("prefers the organization's own identity even where the deployment has an address", async () => {
    const { run, mailbox } = await prepare({ noticeFromEmail });

    await run();

    expect(mailbox).toMatchObject([{ fromEmail: buildOrganization().identity?.fromEmail }]);
  });

  it('continues with the next notice when one fails, and logs no address', async () => {
    const world = await prepare({ notices: [buildNotice(), buildNotice()] });
    failOn(world, 'PutItem SEND', 1);

    await world.run();

    expect(world.postponed()).toHaveLength(1);
    expect(world.outcomes()).toEqual(['sent']);
    expect(world.lines.map(({ message }) => message)).toContain('notice not sent');
    expect(JSON.stringify(world.lines)).not.toContain('@');
  });

  it.each<[string, (world: Awaited<ReturnType<typeof prepare>>) => void]>([
    [
      'SES refuses',
      (world) => {
        world.ses = () => ({ kind: 'refused', reason: 'AccessDenied' });
      },
    ],
    ['the table refuses', (world) => failOn(world, 'PutItem SEND')],
  ])('fails when %s every notice, so that the alarm goes off', async (_who, disturb) => {
    const world = await prepare({ notices: [buildNotice(), buildNotice()] });
    disturb(world);

    await expect(world.run()).rejects.toThrow('no notice could be sent');

    expect(world.postponed()).toHaveLength(2);
  });

  it("doesn't fail when SES only throttles", async () => {
    const world = await prepare();
    world.ses = () => ({ kind: 'throttled' });

    await world.run();

    expect(world.postponed()).toHaveLength(1);
  });

  it('starts nothing more when its time is over', async () => {
    const world = await prepare({ notices: [buildNotice(), buildNotice()] });
    world.ses = () => {
      world.now += workMs;
      return { kind: 'accepted', providerMessageId: 'message-1' };
    };

    await world.run();

    expect(world.outcomes()).toEqual(['sent']);
  });
});
