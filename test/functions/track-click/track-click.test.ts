import { describe, expect, it } from 'vitest';
import type { LinkRequest } from '#shared/tracking/machine-hit';
import { signClickToken, signOpenToken } from '#shared/tracking/tracking-token';
import { trackClick } from '../../../functions/track-click/track-click.ts';
import {
  type EmailGiven,
  type EmailWorld,
  isWrite,
  recordedAt as now,
  openEmailWorld,
} from '../../support/email-world.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { buildLinkRequest } from '../../support/link-request-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const keyring = buildKeyring();
const destination = 'https://shop.example.com/order?id=1';

const openWorld = (organization: EmailGiven['organization'] = {}) =>
  openEmailWorld({ isSettled: true, organization });

/** A request for a link of the email. */
const track = ({ send, recording }: EmailWorld, overrides: Partial<LinkRequest> = {}) => {
  const token = signClickToken(keyring, send.feedbackId, destination);
  const request = buildLinkRequest({ token, ...overrides });
  return trackClick(request, { ...recording, keyring: async () => keyring });
};

const clicksOf = async ({ timeline }: EmailWorld) =>
  (await timeline()).events.filter(({ type }) => type === 'clicked');

const byPerson = { ts: now, hits: 1, machine: false };

describe('trackClick', () => {
  it('redirects to the destination and records the click', async () => {
    const world = await openWorld();

    expect(await track(world)).toEqual({ kind: 'redirect', destination });
    expect(await clicksOf(world)).toMatchObject([byPerson]);
  });

  it("redirects even if the click can't be recorded", async () => {
    const world = await openWorld();
    const { log, lines } = recordLog();
    world.behaviour.fails = isWrite;

    expect(await track(world, { log })).toEqual({ kind: 'redirect', destination });
    expect(lines).toMatchObject([{ level: 'error', message: 'hit not recorded' }]);
  });

  it("marks a machine's click", async () => {
    const world = await openWorld();

    await track(world, { headers: {} });

    expect(await clicksOf(world)).toMatchObject([{ hits: 1, machine: true }]);
  });

  it("doesn't count a HEAD request, which only asks where the link leads", async () => {
    const world = await openWorld();

    expect(await track(world, { method: 'HEAD' })).toEqual({ kind: 'redirect', destination });
    expect(await clicksOf(world)).toEqual([]);
  });

  const altered = (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;

  it.each<[string, (world: EmailWorld) => string]>([
    ['empty', () => ''],
    ['altered', ({ send }) => altered(signClickToken(keyring, send.feedbackId, destination))],
    [
      'signed by another key',
      ({ send }) => signClickToken(buildKeyring(), send.feedbackId, destination),
    ],
    ['of an open pixel', ({ send }) => signOpenToken(keyring, send.feedbackId)],
    ['an address', () => 'https://evil.example.com/'],
  ])('redirects nowhere for a token that is %s, and reads nothing', async (_what, forgedFor) => {
    const world = await openWorld();

    const error = await serviceErrorOf(() => track(world, { token: forgedFor(world) }));

    expect(error.code).toBe('link_not_found');
    expect(world.calls).toEqual([]);
  });

  it.each<[string, EmailGiven['organization'] | 'gone']>([
    ['was deleted', 'gone'],
    ['has its links disabled', { linksDisabled: true }],
    ['is paused and has its links disabled', { paused: true, linksDisabled: true }],
  ])('redirects nowhere once the organization %s, and records nothing', async (_what, given) => {
    const world = await openWorld(given === 'gone' ? {} : given);
    if (given === 'gone') await world.removeOrganization();

    const get = await serviceErrorOf(() => track(world));
    const head = await serviceErrorOf(() => track(world, { method: 'HEAD' }));

    expect([get.code, head.code]).toEqual(['link_withdrawn', 'link_withdrawn']);
    expect(await clicksOf(world)).toEqual([]);
  });

  it('asks before redirecting while the organization is paused, and records the click', async () => {
    const world = await openWorld({ paused: true });

    expect(await track(world)).toEqual({
      ...{ kind: 'ask', destination, organizationName: 'Example Ltd' },
    });
    expect(await clicksOf(world)).toMatchObject([byPerson]);
  });

  it("redirects to an expired send's destination", async () => {
    const world = await openWorld();
    await world.removeSend();
    const before = world.items();

    expect(await track(world)).toEqual({ kind: 'redirect', destination });
    expect(world.items()).toEqual(before);
  });

  it("redirects when its permission can't be checked, as a person is waiting", async () => {
    const world = await openWorld();
    const { log, lines } = recordLog();
    world.behaviour.fails = ({ operation }) => operation === 'BatchGetItem';

    expect(await track(world, { log })).toEqual({ kind: 'redirect', destination });
    expect(lines).toMatchObject([
      { level: 'error', message: 'sender of a link not read' },
      { level: 'error', message: 'hit not recorded' },
    ]);
  });

  it('reads organization and send once, strongly consistent, whatever is recorded', async () => {
    const world = await openWorld();

    await track(world);

    const reads = world.calls.filter(({ operation }) => operation === 'BatchGetItem');
    const request = { [world.table.name]: { ConsistentRead: true } };
    expect(reads).toMatchObject([{ input: { RequestItems: request } }]);
  });
});
