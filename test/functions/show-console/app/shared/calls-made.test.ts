import { expect, it } from 'vitest';
import {
  asCurl,
  asScript,
  callsMade,
  noteCall,
} from '../../../../../functions/show-console/app/shared/calls-made.ts';

const origin = 'https://mail.example.com';
const query = { search: "ann's reset", limit: 5 };
const made = { route: 'GET /api/v1/sends', parts: { query } } as const;

it('shows a request as curl, whose quotes hold whatever was searched for', () => {
  expect(asCurl(made, origin)).toBe(
    `curl 'https://mail.example.com/api/v1/sends?limit=5&search=ann%27s+reset' \\\n  -H "Authorization: Bearer $EMAIL_API_KEY"`,
  );
});

it('shows it as a program, with the key from its environment', () => {
  const script = asScript(made, origin);

  expect(script).toContain('fetch("https://mail.example.com/api/v1/sends?limit=5&search=');
  expect(script).toContain('process.env.EMAIL_API_KEY');
});

it('knows each call of what is shown once, and none of the console’s own', () => {
  const forget = [
    noteCall('GET /api/v1/sends', { query: { limit: 5 } }),
    noteCall('GET /api/v1/sends', { query: { limit: 5 } }),
    noteCall('GET /api/v1/sends/{id}', { path: { id: 'snd_a' } }),
    noteCall('GET /console/organizations', {}),
  ];
  const addresses = () => callsMade().map((one) => asCurl(one, origin).split("'")[1]);

  expect(addresses()).toEqual([`${origin}/api/v1/sends?limit=5`, `${origin}/api/v1/sends/snd_a`]);
  for (const one of forget) one();
  expect(addresses()).toEqual([]);
});
