import { describe, expect, it } from 'vitest';
import { toHealthView } from '#shared/webhooks/health-view';
import { disabledReasons } from '#shared/webhooks/webhook';
import { buildWebhook, webhookNow as now } from './webhook-builder.ts';

const dayMs = 86_400_000;

describe('the health of an endpoint as its owner sees it', () => {
  it('is well when no delivery is exhausted', () => {
    expect(toHealthView(buildWebhook(), now)).toEqual({
      status: 'well',
      exhausted: 0,
      delivered: 0,
      exhaustedShare: 0,
      outlook: expect.stringContaining('No delivery is failing'),
    });
  });

  it.each([
    [299_999, 'retrying'],
    [300_000, 'failing'],
  ])('without a success for %d ms is %s, before any delivery is given up', (ms, status) => {
    const view = toHealthView(buildWebhook({ failingSince: now - ms }), now);

    expect(view).toMatchObject({ status, failingSince: now - ms, exhausted: 0 });
    expect(view.outlook).toContain('No attempt has succeeded');
  });

  it.each([
    {},
    { failingSince: now - dayMs },
    { health: { since: now - dayMs, exhausted: 11, delivered: 0 } },
  ])('of a paused endpoint with %o promises no attempts', (given) => {
    const view = toHealthView(buildWebhook({ ...given, pausedAt: now }), now);

    expect(view.outlook).toBe('Its deliveries are paused: events wait, and nothing is attempted.');
    expect(view).not.toHaveProperty('disabledFrom');
    expect(view.status).toBe(toHealthView(buildWebhook(given), now).status);
  });

  it('is failing as soon as a delivery is given up', () => {
    const health = { since: now, exhausted: 1, delivered: 0 };

    expect(toHealthView(buildWebhook({ health, failingSince: now }), now).status).toBe('failing');
  });

  it('has been failing since the earlier of failed attempt and exhausted delivery', () => {
    const health = { since: now - dayMs, exhausted: 11, delivered: 1 };
    const sinceOf = (failingSince: number) =>
      toHealthView(buildWebhook({ health, failingSince }), now).failingSince;

    expect([sinceOf(now), sinceOf(now - 2 * dayMs)]).toEqual([now - dayMs, now - 2 * dayMs]);
  });

  it('says since when it fails, how much of it, and from when it may be disabled', () => {
    const health = { since: now - dayMs, exhausted: 11, delivered: 1 };

    const view = toHealthView(buildWebhook({ health }), now);

    expect(view).toMatchObject({
      status: 'failing',
      failingSince: now - dayMs,
      exhausted: 11,
      delivered: 1,
      exhaustedShare: 0.917,
      disabledFrom: now + 4 * dayMs,
    });
    expect(view.outlook).toContain(new Date(now + 4 * dayMs).toISOString());
  });

  it('announces nothing while too few deliveries are given up', () => {
    const health = { since: now - dayMs, exhausted: 8, delivered: 1 };

    const view = toHealthView(buildWebhook({ health }), now);

    expect(view).not.toHaveProperty('disabledFrom');
    expect(view.outlook).toContain('stays enabled');
  });

  it('is well again when all that was counted is long ago', () => {
    const health = { since: now - 15 * dayMs, exhausted: 99, delivered: 0 };

    expect(toHealthView(buildWebhook({ health }), now)).toMatchObject({
      status: 'well',
      exhausted: 0,
    });
  });

  it.each(disabledReasons)('says what to do when it is disabled: %s', (reason) => {
    const health = { since: now - 90 * dayMs, exhausted: 12, delivered: 0 };

    const view = toHealthView(buildWebhook({ disabled: { reason, at: now }, health }), now);

    expect(view).toMatchObject({ status: 'disabled', exhausted: 12, exhaustedShare: 1 });
    expect(view.outlook).toContain('PATCH {"enabled": true}');
  });
});
