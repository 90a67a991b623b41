// React Email, as released: `resend setup` keeps the key, and the button of its preview uploads an email as a template.
import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Resend } from 'resend';
import { launchChromium } from '../shared/pages/chromium.ts';

const [modules = ''] = process.argv.slice(2);
const key = `${process.env['RESEND_API_KEY']}`;
const resend = new Resend(key);

/** A project of its own, so that no key of this machine's user is in reach. */
const project = mkdtempSync(join(tmpdir(), 'react-email-'));
symlinkSync(resolve(modules), join(project, 'node_modules'));
writeFileSync(join(project, 'package.json'), '{"type": "module"}');
writeFileSync(
  join(project, 'welcome.tsx'),
  `import { Body, Html, Text } from 'react-email';
export default () => <Html><Body><Text>Hello {'{{{name}}}'}</Text></Body></Html>;
`,
);
const program = join(project, 'node_modules/react-email/dist/cli/index.mjs');
const env = { ...process.env, HOME: project, XDG_CONFIG_HOME: project };
const options = { cwd: project, env, encoding: 'utf8' } as const;

async function startPreview() {
  const preview = spawn(process.execPath, [program, 'dev', '--dir', '.', '--port', '3960'], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, to end what it starts with it.
    detached: true,
  });
  const lines = createInterface(preview.stdout);
  for await (const line of lines) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) return { preview, url };
  }
  throw new Error('The preview ended');
}

/** Presses the button, as a person does who sees the email. */
async function upload(url: string): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(`${url}/preview/welcome?toolbar-panel=resend`);
    await page.frameLocator('iframe').getByText('Hello').waitFor();
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByText('Open in Resend').waitFor();
  } finally {
    await browser.close();
  }
}

const uploaded = async () =>
  ((await resend.templates.list()).data?.data ?? []).filter(({ name }) => name === 'welcome');

const setup = spawnSync(process.execPath, [program, 'resend', 'setup'], {
  ...options,
  input: `${key}\r`,
});
equal(setup.status, 0, setup.stderr);
const { preview, url } = await startPreview();
try {
  await upload(url);
  const [first] = await uploaded();
  await upload(url);

  const all = await uploaded();
  deepEqual(
    all.map(({ id }) => id),
    [first?.id],
  );
  const id = `${first?.id}`;
  match(`${(await resend.templates.get(id)).data?.html}`, /Hello\s.*\{\{\{name\}\}\}/s);
  await resend.templates.publish(id);
  const from = 'Acme <onboarding@resend.dev>';
  const email = { from, to: 'ann@example.com', subject: 'Welcome' };
  const { error } = await resend.emails.send({
    ...email,
    template: { id, variables: { name: 'Ann' } },
  });
  equal(error, null);
} finally {
  const ended = once(preview, 'close');
  process.kill(-Number(preview.pid), 'SIGKILL');
  await ended;
  rmSync(project, { recursive: true });
}
