import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { secretKeptForMs } from '#shared/config/secret-lifetime';
import type { VersionedSecret } from '../aws/secrets.ts';
import { momentOf } from '../drawing/text-table.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { examples } from '../options.ts';
import type { Session, Sessions } from '../session.ts';
import { nextStep, type RotationStep, spreadMs } from '../signing-key-rotation.ts';

export function addSigningKey(signingKey: Command, sessions: Sessions): void {
  signingKey
    .command('rotate')
    .summary('Adds a key, and signs with it ten minutes later')
    .description(
      `Adds a key, waits ${spreadMs / 60_000} minutes until every function has it, and then signs with it`,
    )
    .option('--no-wait', 'do only the step that can be done now')
    .addHelpText(
      'after',
      `\nYou can stop it and run it again at any time: it continues where it left off.\n${examples(
        'signing-key rotate',
        'signing-key rotate --stack EmailService --profile production --no-wait',
      )}`,
    )
    .action(async (options: { readonly wait: boolean }, command: Command) => {
      const session = await sessions.open(command);
      const secret = session.target.signingKey?.();
      if (secret === undefined) {
        throw usageFailure(
          'The key is in Secrets Manager: name the stack with --stack and --profile.',
        );
      }
      await rotate(session, secret, options);
    });
}

async function rotate(
  { terminal, target, surroundings: { now, sleep } }: Session,
  secret: VersionedSecret,
  { wait }: { readonly wait: boolean },
): Promise<void> {
  const step = async () => nextStep(await secret.read(), randomBytes(32).toString('hex'), now());
  let next = await step();
  if (next.step === 'add') {
    await terminal.confirm(`Add the signing key ${next.key} to ${target.name}?`);
    await write(secret, next);
    terminal.say(`${next.key} was added. It verifies but doesn't sign yet.`);
    if (!wait) {
      const body = { step: 'added', key: next.key, signsFrom: now() + spreadMs };
      terminal.show(
        body,
        () => `${next.key} can sign from ${momentOf(body.signsFrom)}: run this again then.`,
      );
      return;
    }
    next = await step();
  }
  while (next.step === 'wait') {
    const until = momentOf(next.until);
    if (!wait) throw tooEarly(`${next.key} can sign from ${until}: run this again then.`);
    terminal.say(`Waiting until ${until}, when every function has ${next.key}. Ctrl-C is safe.`);
    await sleep(next.until - now());
    next = await step();
  }
  if (next.step !== 'promote') throw changedMeanwhile();
  await write(secret, next);
  terminal.show(
    { step: 'current', key: next.key },
    () =>
      `${next.key} signs from now on; every function uses it within ${secretKeptForMs / 60_000} minutes.`,
  );
}

async function write(
  secret: VersionedSecret,
  { text, versionId }: Extract<RotationStep, { readonly text: string }>,
): Promise<void> {
  if (!(await secret.write(text, versionId))) throw changedMeanwhile();
}

const changedMeanwhile = (): Failure =>
  new Failure(
    exitCodes.conflict,
    'concurrent_change',
    'Someone else is rotating the key. Run this again to continue from there.',
  );

const tooEarly = (message: string): Failure =>
  new Failure(exitCodes.unavailable, 'too_early', message);
