import { describe, expect, it } from 'vitest';
import type { LinkRequest } from '#shared/tracking/machine-hit';
import { signClickToken, signOpenToken } from '#shared/tracking/tracking-token';
import { trackOpen } from '../../../functions/track-open/track-open.ts';
import {
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

const openWorld = () => openEmailWorld({ isSettled: true });

/** A request for the pixel of the email. */
const track = ({ send, recording }: EmailWorld, overrides: Partial<LinkRequest> = {}) => {
  const token = signOpenToken(keyring, send.feedbackId);
  const request = buildLinkRequest({ token, ...overrides });
  return trackOpen(request, { ...recording, keyring: async () => keyring });
};

const opensOf = async ({ timeline }: EmailWorld) =>
  (await timeline()).events.filter(({ type }) => type === 'opened');

describe('trackOpen', () => {
  it("records a person's open", async () => {
    const world = await openWorld();

    await track(world);

    expect(await opensOf(world)).toMatchObject([{ ts: now, hits: 1, machine: false }]);
  });

  it("records a machine's open as such", async () => {
    const world = await openWorld();

    await track(world, { headers: { 'user-agent': 'Mozilla/5.0' } });

    expect(await opensOf(world)).toMatchObject([{ ts: now, hits: 1, machine: true }]);
  });

  it("answers even if the open can't be recorded", async () => {
    const world = await openWorld();
    const { log, lines } = recordLog();
    world.behaviour.fails = isWrite;

    await expect(track(world, { log })).resolves.toBeUndefined();
    expect(lines).toMatchObject([{ level: 'error', message: 'hit not recorded' }]);
  });

  it.each<[string, (world: EmailWorld) => string]>([
    ['empty', () => ''],
    ['signed by another key', ({ send }) => signOpenToken(buildKeyring(), send.feedbackId)],
    ['of a link', ({ send }) => signClickToken(keyring, send.feedbackId, 'https://example.com/')],
  ])('serves no pixel for a token that is %s', async (_what, forgedFor) => {
    const world = await openWorld();

    const error = await serviceErrorOf(() => track(world, { token: forgedFor(world) }));

    expect(error.code).toBe('link_not_found');
    expect(world.calls).toEqual([]);
  });
});
