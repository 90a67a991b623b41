import { expect, it } from 'vitest';
import { pageAfterSignIn } from '../../../../../functions/show-console/app/shared/addresses.ts';

it.each([
  [undefined, '/console'],
  ['/console/emails/snd_1?x=1', '/console/emails/snd_1?x=1'],
  ['/console', '/console'],
  ['/consoles', '/console'],
  ['/docs', '/console'],
  ['/console/../docs', '/console'],
  ['//evil.example/console/', '/console'],
  ['https://evil.example/console/', '/console'],
  ['javascript:alert(1)', '/console'],
  ['\\\\evil.example\\console', '/console'],
  ['http://', '/console'],
])('a sign-in link to %s leads to %s', (to, page) => {
  expect(pageAfterSignIn(to)).toBe(page);
});
