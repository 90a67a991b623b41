import { expect, it } from 'vitest';
import {
  changeOf,
  percentText,
  pointsOf,
  rateText,
  rateTitle,
} from '../../../../../functions/show-console/app/overview/rates.ts';

it('says a rate with its figure, limit and sample, and what to do', () => {
  expect(rateTitle('bounced', 78, 7)).toBe(
    'Hard bounces are at 8.97%. AWS reviews accounts at 5%.',
  );
  expect(rateTitle('bounced', 57, 9)).toContain(` at ${percentText(15.79)}. `);
  expect(percentText(15.79)).toBe('15.8%');
  expect(rateText('bounced', 78, 7, 'the last 30 days')).toMatch(
    /^7 of 78 emails in the last 30 days\. Find the cause/,
  );
  expect(rateText('bounced', 100, 4, 'the last 30 days')).toMatch(
    /; 1 more hard bounce would reach the limit\.$/,
  );
  expect(rateText('bounced', 23, 2, 'the last 30 days')).toContain('a small sample');
});

it.each([
  [412_806, 396_547, '+4.1%'],
  [50, 100, '−50%'],
  [7, 7, 'unchanged'],
  [7, 0, undefined],
])('the change from %d to %d is %s', (now, before, text) => {
  expect(changeOf(now, before)).toBe(text);
});

it.each([
  [90.9, 98.7, '−7.8'],
  [0.05, 0.02, '+0.03'],
  [5, 4, '+1'],
  [5, 5, undefined],
])('a rate of %d %% after one of %d %% is %s', (now, before, text) => {
  expect(pointsOf(now, before)).toBe(text);
});
