import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { createRefusals } from '#shared/email/refusals';
import type { Alert } from '#shared/notice-targets/alert-message';
import type { NoticeTarget } from '#shared/notice-targets/notice-target';
import { readTargets, replaceTargets } from '#shared/notice-targets/notice-target-store';
import type { AlertOutcome } from '#shared/notice-targets/post-alert';
import type { Notice } from '#shared/notices/notice';
import { putNotice, storeNotice } from '#shared/notices/notice-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { transactWrite } from '#shared/table/writes';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { alertOf } from '../../../functions/send-notices/deliver-alerts.ts';
import { sendNotices } from '../../../functions/send-notices/send-notices.ts';
import { nameOfCall } from '../../schedules/call-names.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildNotice, noticeNow } from '../../support/notice-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { sendingOn } from '../../support/send-world.ts';

const minuteMs = 60_000;
const before = { createdAt: noticeNow - 1, updatedAt: noticeNow - 1 };
const slackAt = (place: string): NoticeTarget => ({
  type: 'slack',
  url: `https://hooks.slack.com/services/secret-${place}`,
  ...before,
});

const delivered: AlertOutcome = { kind: 'delivered' };
const silent: AlertOutcome = { kind: 'unreachable', reason: 'timeout' };
const gone: AlertOutcome = { kind: 'refused', reason: 'status_404' };

/** An organization with these targets, and with a confirmed address unless told otherwise. */
async function prepare(
  targets: Readonly<Record<string, NoticeTarget>>,
  organization = buildOrganization({
    noticeEmail: 'ops@example.com',
    noticeEmailState: 'confirmed',
  }),
) {
  const { log, lines } = recordLog();
  const posts: { readonly target: NoticeTarget; readonly alert: Alert }[] = [];
  let emails = 0;
  const world = {
    now: noticeNow,
    lines,
    posts,
    answer: (_target: NoticeTarget): AlertOutcome => delivered,
    /** Runs before a call of the table, which fails if this throws. */
    disturb: (_call: string): void => {},
  };
  const { table, items } = openMemoryTable({
    intercept: async (call, run) => {
      world.disturb(nameOfCall(call));
      return run();
    },
  });
  const { id } = organization;
  await putOrganization(table, organization);
  const set = async (next: Readonly<Record<string, NoticeTarget>>) => {
    const entry = newAuditEntry(id, 'operator', { action: 'notice_target.put', target: 'x' }, 1);
    expect(await replaceTargets(table, id, await readTargets(table, id), next, entry)).toBe(
      'stored',
    );
  };
  await set(targets);
  const send = async () => {
    emails += 1;
    return { kind: 'accepted', providerMessageId: `message-${emails}` } as const;
  };
  const sending = sendingOn(table, {
    now: () => world.now,
    email: { send, sendTest: send, refusals: createRefusals() },
  });
  const all = {
    ...sending,
    noticeFromEmail: undefined,
    alerts: {
      post: async (target: NoticeTarget, alert: Alert) => {
        posts.push({ target, alert });
        return world.answer(target);
      },
    },
  };
  return Object.assign(world, {
    id,
    table,
    set,
    run: () => sendNotices(all, log),
    file: (changes: Partial<Notice> = {}) => storeNotice(table, { ...buildNotice(id), ...changes }),
    refile: () => transactWrite(table, [putNotice(buildNotice(id))]),
    emails: () => emails,
    outcomes: () =>
      items()
        .flatMap(({ outcome }) => outcome ?? [])
        .toSorted(),
    states: async () => (await readTargets(table, id)).states,
  });
}

const targets = { 'on-call': slackAt('1'), team: slackAt('2') };

describe('a notice of an organization with targets', () => {
  it('goes to each of them and by email, in one run', async () => {
    const world = await prepare(targets);
    await world.file();

    await world.run();

    expect(world.emails()).toBe(1);
    expect(world.posts.map(({ target }) => target)).toEqual(Object.values(targets));
    expect(world.posts[0]?.alert).toMatchObject({
      source: buildOrganization().name,
      subject: buildNotice().subject,
      action: 'trigger',
    });
    expect(world.outcomes()).toEqual(['delivered', 'delivered', 'sent']);
    expect((await world.states()).get('team')).toEqual({ lastSentAt: noticeNow });
    await world.run();
    expect(world.posts).toHaveLength(2);
  });

  it('goes to them without an address, too', async () => {
    const world = await prepare(targets, buildOrganization());
    await world.file();

    await world.run();

    expect(world.posts).toHaveLength(2);
    expect(world.outcomes()).toEqual(['delivered', 'delivered', 'unaddressed']);
  });

  it('is sent once when it’s filed again on the same day', async () => {
    const world = await prepare(targets);
    await world.file();
    await world.run();
    await world.refile();

    await world.run();

    expect(world.posts).toHaveLength(2);
  });

  it.each(['confirmation', 'invitation'] as const)(
    'stays by email if it’s a link: %s',
    async (cause) => {
      const world = await prepare(targets);
      await world.file({ cause, ...(cause === 'invitation' && { to: 'ann@example.com' }) });

      await world.run().catch(() => {});

      expect(world.posts).toEqual([]);
    },
  );

  it('doesn’t go to a target that was added since', async () => {
    const world = await prepare({ team: { ...slackAt('2'), updatedAt: noticeNow + 1 } });
    await world.file();

    await world.run();

    expect(world.posts).toEqual([]);
  });

  it('goes to targets twenty times a day', async () => {
    const world = await prepare({ team: slackAt('2') }, buildOrganization());
    for (let about = 0; about < 25; about += 1) await world.file({ about: `${about}` });

    for (let run = 0; run < 5; run += 1) await world.run();

    expect(world.posts).toHaveLength(20);
  });
});

describe('a target that doesn’t answer', () => {
  const isTeam = ({ type, ...target }: NoticeTarget) => 'url' in target && target.url.endsWith('2');

  it('stops neither the others nor the email, and is tried again later', async () => {
    const world = await prepare(targets);
    world.answer = (target) => (isTeam(target) ? silent : delivered);
    await world.file();

    await world.run();
    expect(world.outcomes()).toEqual(['delivered', 'sent']);
    expect((await world.states()).get('team')).toEqual({
      lastFailure: { at: noticeNow, reason: 'timeout' },
    });
    await world.run();
    expect(world.posts).toHaveLength(2);

    world.now += 5 * minuteMs;
    world.answer = () => delivered;
    await world.run();
    expect(world.outcomes()).toEqual(['delivered', 'delivered', 'sent']);
    expect((await world.states()).get('team')).toEqual({ lastSentAt: world.now });
    expect(world.emails()).toBe(1);
  });

  it('is asked once a run, however many notices wait for it', async () => {
    const world = await prepare({ team: slackAt('2') }, buildOrganization());
    world.answer = () => silent;
    for (let about = 0; about < 9; about += 1) await world.file({ about: `${about}` });

    await world.run();

    // As many start before its first answer.
    expect(world.posts.length).toBeLessThanOrEqual(5);
  });

  it('is given up when the notice expires', async () => {
    const world = await prepare({ team: slackAt('2') }, buildOrganization());
    world.answer = () => silent;
    await world.file();

    for (let hour = 0; hour < 100; hour += 1) {
      await world.run();
      world.now += 60 * minuteMs;
    }

    expect(world.posts.length).toBeGreaterThan(10);
    expect(world.posts.length).toBeLessThan(20);
  });

  it('holds up no organization’s alarm: the run doesn’t fail', async () => {
    const world = await prepare({ team: slackAt('2') }, buildOrganization());
    world.answer = () => silent;
    await world.file();

    await expect(world.run()).resolves.toBeUndefined();
  });
});

describe('a target', () => {
  it('that refuses a notice isn’t asked again', async () => {
    const world = await prepare({ team: slackAt('2') });
    world.answer = () => gone;
    await world.file();

    for (let run = 0; run < 3; run += 1) {
      await world.run();
      world.now += 60 * minuteMs;
    }

    expect(world.posts).toHaveLength(1);
    expect(world.outcomes()).toEqual(['given_up', 'sent']);
    expect((await world.states()).get('team')?.lastFailure?.reason).toBe('status_404');
  });

  it('that is deleted while a notice waits gets it no more', async () => {
    const world = await prepare(targets);
    world.answer = () => silent;
    await world.file();
    await world.run();
    await world.set({});
    world.now += 60 * minuteMs;

    await world.run();

    expect(world.posts).toHaveLength(2);
    expect(world.outcomes()).toEqual(['sent', 'target_gone', 'target_gone']);
  });

  it('may get a notice twice if the run dies between post and settling, never not at all', async () => {
    const world = await prepare({ team: slackAt('2') }, buildOrganization());
    await world.file();
    let dies = true;
    world.answer = () => {
      world.disturb = () => {
        if (dies) throw new Error('died');
      };
      return delivered;
    };
    await world.run();
    dies = false;
    await world.run();
    expect(world.posts).toHaveLength(1);
    world.now += 5 * minuteMs;

    await world.run();

    expect(world.posts).toHaveLength(2);
    expect(world.outcomes()).toContain('delivered');
  });

  it('gets a notice once from two runs at once', async () => {
    const world = await prepare(targets);
    await world.file();

    await Promise.all([world.run(), world.run()]);
    world.now += 60 * minuteMs;
    await world.run();

    expect(world.posts).toHaveLength(2);
  });

  it('gets a notice if the run dies at any call, twice only after the first post', async () => {
    let isOver = false;
    for (let last = 0; !isOver; last += 1) {
      const world = await prepare({ team: slackAt('2') }, buildOrganization());
      await world.file();
      let calls = 0;
      isOver = true;
      world.disturb = () => {
        calls += 1;
        if (calls <= last) return;
        isOver = false;
        throw new Error('died');
      };
      await world.run().catch(() => {});
      const posted = world.posts.length;
      const isSettled = world.outcomes().includes('delivered');
      world.disturb = () => {};

      for (let run = 0; run < 3; run += 1) {
        world.now += 15 * minuteMs;
        await world.run();
      }

      expect(world.posts, `dies after ${last} calls`).toHaveLength(isSettled ? 1 : posted + 1);
      expect(world.outcomes()).toEqual(['delivered', 'unaddressed']);
    }
  });

  it('is settled even if its state can’t be recorded', async () => {
    const world = await prepare({ team: slackAt('2') }, buildOrganization());
    await world.file();
    world.answer = () => {
      let updates = 0;
      world.disturb = (call) => {
        if (call.startsWith('Update')) updates += 1;
        if (updates > 1) throw new Error('throttled');
      };
      return delivered;
    };
    await world.run();
    world.disturb = () => {};
    world.now += 60 * minuteMs;
    await world.run();

    expect(world.posts).toHaveLength(1);
    expect((await world.states()).size).toBe(0);
  });

  it('is in no line of the log, by its secret', async () => {
    const world = await prepare(targets);
    world.answer = () => silent;
    await world.file();
    await world.run();

    expect(world.lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(world.lines)).not.toMatch(/secret|hooks\.slack/);
  });
});

describe('a domain that’s lost and verified again', () => {
  const news = (cause: 'identity_lost' | 'identity_active') =>
    ({ cause, about: 'northwind.example' }) as const;
  type World = Awaited<ReturnType<typeof prepare>>;
  const fileNews = ({ table, id, now }: World, cause: 'identity_lost' | 'identity_active') =>
    transactWrite(table, [putNotice(buildNotice(id, news(cause), now))]);
  const actions = ({ posts }: World) => posts.map(({ alert }) => alert.action);

  it('on one day twice opens an incident each time, and ends it', async () => {
    const world = await prepare({ team: slackAt('2') }, buildOrganization());
    for (const cause of [
      'identity_lost',
      'identity_active',
      'identity_lost',
      'identity_active',
    ] as const) {
      await fileNews(world, cause);
      await world.run();
      world.now += minuteMs;
    }

    expect(actions(world)).toEqual(['trigger', 'resolve', 'trigger', 'resolve']);
  });

  it.each([0, 26 * 60])('opens no incident %i minutes after it ended', async (minutes) => {
    const world = await prepare({ team: slackAt('2') }, buildOrganization());
    world.answer = () => silent;
    await fileNews(world, 'identity_lost');
    await world.run();
    world.now += minutes * minuteMs + 1;
    await fileNews(world, 'identity_active');
    world.posts.length = 0;
    world.answer = () => delivered;

    for (let run = 0; run < 3; run += 1) {
      await world.run();
      world.now += 6 * 60 * minuteMs;
    }

    expect(actions(world)).toEqual(['resolve']);
    expect(world.outcomes()).toContain('outdated');
  });
});

describe('the alert of a notice', () => {
  it('about a domain that’s verified again resolves the one about its loss', () => {
    const id = newOrganizationId();
    const about = 'northwind.example';
    const lost = alertOf(buildNotice(id, { cause: 'identity_lost', about }), 'Northwind');
    const active = alertOf(buildNotice(id, { cause: 'identity_active', about }), 'Northwind');

    expect([lost.action, active.action]).toEqual(['trigger', 'resolve']);
    expect(active.dedupKey).toBe(lost.dedupKey);
  });
});
