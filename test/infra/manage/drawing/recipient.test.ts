import { expect, it } from 'vitest';
import { fakeFetch, manage, twin } from '../../../support/manage-builder.ts';

const recipient = {
  email: 'ann@example.com',
  obstacles: [],
  contact: null,
  suppressions: [],
  providerList: { state: 'not_listed' },
  emails: [],
};
const resume =
  '  → paused: the operator resumes it with npm run manage -- organizations resume org_…';
const lift =
  '  → paused by SES: the operator can see why, and lift it, in the SES console. See "Tenants of SES" in infra/README.md.';

it.each([
  ['active', { paused: false, pausedBySes: false }, []],
  // An older deployment does not tell.
  ['active', { paused: false }, []],
  ['paused', { paused: true, pausedBySes: false }, [resume]],
  ['paused by SES', { paused: false, pausedBySes: true }, [lift]],
  ['paused, paused by SES', { paused: true, pausedBySes: true }, [resume, lift]],
])(
  'recipients why says that the organization is %s, from %o, and what to do',
  async (state, pause, todos) => {
    const organization = { ...pause, identity: 'active' };
    const { fetch } = fakeFetch({ body: { ...recipient, organization } });

    const { exitCode, output } = await manage('recipients why ann@example.com', {
      fetch,
      ...twin,
    });

    const lines = output.split('\n');
    expect(lines).toContain(`Organization    ${state}`);
    expect(lines.filter((line) => line.includes('→'))).toEqual(todos);
    expect(exitCode).toBe(0);
  },
);

it('recipients why prints what to do next on one line', async () => {
  const nextStep = { about: 'email', text: 'Wait a moment.\n\u001b[2JLook again.' };
  const { fetch } = fakeFetch({
    body: { ...recipient, nextStep, organization: { identity: 'active' } },
  });

  const { output } = await manage('recipients why ann@example.com', { fetch, ...twin });

  expect(output.split('\n')).toContainEqual(
    expect.stringMatching(/^ {2}→ Wait a moment\..*Look again\.$/),
  );
  expect(output).not.toContain('\u001b[2J');
});
