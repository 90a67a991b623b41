import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '#shared/webhook-deliveries/attempt-delivery';
import { type Datapoints, openAlarm } from './alarm-state.ts';
import { synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();

describe('the attempts-fail alarm', () => {
  const alarm = openAlarm(stack, 'WebhookDelivery/Alarms/attempts-fail');
  const ended = (result: AttemptResult) => `Sum WebhookAttempted result=${result}`;
  const [delivered, again, failed] = [ended('delivered'), ended('rescheduled'), ended('failed')];

  it.each<[string, Datapoints]>([
    ['all of them', { [again]: [20] }],
    ['three of four', { [delivered]: [25], [again]: [70], [failed]: [5] }],
    ['four of five, for good', { [delivered]: [10], [failed]: [40] }],
  ])('rings when %s fail within 15 minutes', (_what, datapoints) => {
    expect(alarm.minutes).toBe(15);
    expect(alarm.rings(datapoints)).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['nothing is attempted', {}],
    ['all are delivered', { [delivered]: [100] }],
    ['more than a quarter is delivered', { [delivered]: [26], [again]: [74] }],
    ['few fail', { [failed]: [10], [again]: [9] }],
  ])('stays quiet while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the deliveries-late alarm', () => {
  it('rings when every run within five minutes finds a delivery five minutes late', () => {
    const alarm = openAlarm(stack, 'WebhookDelivery/Alarms/deliveries-late');
    const ringsAt = (ms: number) => alarm.rings({ 'Minimum WebhookOldestDueLateness': [ms] });

    expect(alarm.minutes).toBe(5);
    expect([299_999, 300_000].map(ringsAt)).toEqual([false, true]);
  });
});

describe('the webhook queue-not-run alarm', () => {
  it('rings when no run has published a metric for five minutes', () => {
    const alarm = openAlarm(stack, 'WebhookDelivery/Alarms/queue-not-run');
    const ringsAfter = (...runs: number[]) =>
      alarm.rings({ 'SampleCount WebhookOldestDueLateness': runs });

    expect(alarm.minutes).toBe(5);
    expect([ringsAfter(), ringsAfter(1)]).toEqual([true, false]);
  });
});
