import { expect, it } from 'vitest';
import { jsonTemplate } from './json-template.ts';

it('replaces every variable wherever it stands', () => {
  const render = jsonTemplate<unknown>('{"pk":"SEND#abc","sk":"KEY#x.y","id":"abc"}', [
    'abc',
    'x.y',
  ]);

  expect(render(['new', 'other'])).toEqual({ pk: 'SEND#new', sk: 'KEY#other', id: 'new' });
});

it('takes a variable for its own characters, not for a pattern', () => {
  const render = jsonTemplate<unknown>('{"a":"x.y","b":"xzy"}', ['x.y']);

  expect(render(['new'])).toEqual({ a: 'new', b: 'xzy' });
});
