import type { Command } from 'commander';
import { bareAddress } from '#shared/contacts/address-field';
import { type ApiClient, ApiProblem } from '../api/client.ts';
import { type Column, drawTable, foreign } from '../drawing/text-table.ts';
import { AdvisedFailure, exitCodes, Failure, usageFailure } from '../failure.ts';
import { examples, quoted, wholeNumber } from '../options.ts';
import type { ApiSession, Sessions } from '../session.ts';
import { readNamedFile, type Surroundings } from '../surroundings.ts';

type Options = {
  readonly file?: string;
  readonly fromLine?: number;
  readonly sends?: boolean;
};

const maxAddresses = 10_000;

export function addErase(contacts: Command, { asManager }: Sessions): void {
  contacts
    .command('erase')
    .argument('[email]', 'an address')
    .description('Erases a person, or all in a file, for good')
    .option('--file <file>', `a file with an address per line, at most ${maxAddresses}`)
    .option('--from-line <number>', 'continue in the file at this line', wholeNumber)
    .option('--sends', 'also delete the emails to them, with their timelines')
    .addHelpText('after', whatStays)
    .addHelpText(
      'after',
      examples('contacts erase ann@example.com', 'contacts erase --file leaving.txt --sends'),
    )
    .action(async (email: string | undefined, options: Options, command: Command) => {
      if ((email === undefined) === (options.file === undefined)) {
        throw usageFailure('Name an address, or a file with --file.');
      }
      const session = await asManager(command);
      if (email !== undefined) return eraseOne(session, email, options);
      const people = await readPeople(options, session.surroundings);
      await eraseAll(session, people, options);
    });
}

const whatStays = `
Emails to them stay without the address and without stored content, or go too
with --sends. What stays: suppressions, under a digest of the address (who
unsubscribed stays unsubscribed), and the audit entry. Scheduled and queued
emails to them are canceled. Repeating it is safe.`;

const question = (whom: string, target: string, { sends = false }: Options): string =>
  `Erase ${whom} on ${target} for good? ${
    sends
      ? 'Emails to them are deleted.'
      : 'Emails to them stay, without the address and without stored content.'
  } Suppressions stay, under a digest of the address.`;

async function eraseOne(
  { api, terminal, target, surroundings }: ApiSession,
  email: string,
  options: Options,
): Promise<void> {
  await terminal.confirm(question(email, target.name, options));
  const pause = (ms: number) => surroundings.sleep(ms).then(() => true);
  await eraseFully(email, { api, options, say: terminal.say, pause });
  terminal.say(`${foreign(email)} was erased.`);
}

type Erasing = {
  readonly api: ApiClient;
  readonly options: Options;
  readonly say: (words: string) => void;
  /** @returns whether to go on. */
  readonly pause: (ms: number) => Promise<boolean>;
};

/** An email that is being sent is settled within this time. */
const longestWaitMs = 15 * 60_000;

/**
 * One request may not be able to do it all: the service says when to repeat it.
 *
 * @throws Failure `erasure_unfinished` if waiting doesn't help
 */
async function eraseFully(email: string, { api, options, say, pause }: Erasing): Promise<void> {
  const request = { path: { email }, query: { sends: options.sends ? 'true' : undefined } };
  let waitedMs = 0;
  for (;;) {
    try {
      await api.tell('DELETE /api/v1/contacts/{email}', request);
      return;
    } catch (error) {
      const isUnfinished = error instanceof ApiProblem && error.code === 'erasure_unfinished';
      if (!isUnfinished) throw error;
      const seconds = Math.max(1, error.retryAfterSeconds ?? 1);
      waitedMs += seconds * 1_000;
      if (waitedMs > longestWaitMs) throw error;
      if (seconds > 5) say(`${error.message} Waiting ${seconds} s…`);
      if (!(await pause(seconds * 1_000))) throw error;
    }
  }
}

type Listed = { readonly line: number; readonly email: string };

/** All lines are checked before anybody is erased. */
async function readPeople(
  { file = '', fromLine = 1 }: Options,
  surroundings: Surroundings,
): Promise<readonly Listed[]> {
  const text = await readNamedFile(file, surroundings);
  const listed = text
    .split(/\r\n|\n|\r/)
    .map((line, index): Listed => ({ line: index + 1, email: line.trim() }))
    .filter(({ email }) => email !== '');
  const wrong = listed.find(({ email }) => !bareAddress.safeParse(email).success);
  if (wrong !== undefined) {
    throw usageFailure(
      `${file}, line ${wrong.line}: not an address. Write one per line, and nothing else. Nobody was erased.`,
    );
  }
  if (listed.length > maxAddresses) {
    throw usageFailure(`${file} has ${listed.length} addresses. At most ${maxAddresses} at once.`);
  }
  const first = new Map(listed.toReversed().map((one) => [one.email.toLowerCase(), one]));
  const people = listed.filter((one) => first.get(one.email.toLowerCase()) === one);
  const left = people.filter(({ line }) => line >= fromLine);
  if (left.length === 0) throw usageFailure(`${file} has no address from line ${fromLine} on.`);
  return left;
}

const unfinishedColumns = [
  ['LINE', ({ line }) => line],
  ['NOT FINISHED', ({ email }) => foreign(email)],
] as const satisfies readonly Column<Listed>[];

/** One by one: many at once would only be throttled. */
async function eraseAll(
  session: ApiSession,
  people: readonly Listed[],
  options: Options,
): Promise<void> {
  const { api, terminal, target, surroundings } = session;
  await terminal.confirm(question(`${people.length} people`, target.name, options));
  const stopping = stopOnInterrupt(surroundings);
  const unfinished: Listed[] = [];
  let erased = 0;
  let saidAt = surroundings.now();
  for (const person of people) {
    if (stopping.isStopped()) throw toContinue(session, person, options, interrupted(erased));
    try {
      await eraseFully(person.email, { api, options, say: terminal.say, pause: stopping.pause });
      erased += 1;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const canGoOn = error.code === 'erasure_unfinished' && !stopping.isStopped();
      if (!canGoOn) throw toContinue(session, person, options, error);
      unfinished.push(person);
    }
    if (surroundings.now() - saidAt >= progressMs) {
      saidAt = surroundings.now();
      terminal.say(`${erased} of ${people.length} erased.`);
    }
  }
  terminal.show({ erased, unfinished }, (paint) =>
    unfinished.length === 0 ? '' : drawTable(unfinished, unfinishedColumns, paint),
  );
  terminal.say(`${erased} of ${people.length} erased.`);
  if (unfinished.length > 0) throw notFinished();
}

const progressMs = 5_000;

/** Ctrl-C ends the command after the request under way. */
function stopOnInterrupt({ untilInterrupted, sleep }: Surroundings) {
  let isStopped = false;
  const interruption = untilInterrupted().then(() => {
    isStopped = true;
  });
  return {
    isStopped: () => isStopped,
    pause: async (ms: number) => {
      await Promise.race([sleep(ms), interruption]);
      return !isStopped;
    },
  };
}

const interrupted = (erased: number): Failure =>
  new Failure(exitCodes.interrupted, 'interrupted', `Stopped. ${erased} were erased.`);

/** Lines before this one are done. Repeating them is safe, but unknown addresses count as new contacts each time. */
function toContinue(
  { suggest }: ApiSession,
  { line }: Listed,
  { file = '', sends = false }: Options,
  failure: Failure,
): Failure {
  const words = ['contacts erase --file', quoted(file), '--from-line', line];
  const command = suggest([...words, ...(sends ? ['--sends'] : [])].join(' '));
  return new AdvisedFailure(failure, `To continue at line ${line}: ${command}`);
}

const notFinished = (): Failure =>
  new Failure(
    exitCodes.needsAttention,
    'erasure_unfinished',
    'Some couldn’t be erased fully yet.',
    'Erase the addresses listed above again later: what was erased stays erased.',
  );
