import { Command, CommanderError } from 'commander';
import { type ExitCode, exitCodes, Failure, usageFailure } from './failure.ts';
import { requireNeeded } from './options.ts';
import { type OpenSession, sessionOpener } from './session.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Runs one command.
 *
 * @param args what stands behind the program's name
 */
export async function runManage(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  const asJson = args.includes('--json');
  const program = createProgram(surroundings, asJson);
  try {
    await addGroups(program, args, sessionOpener(surroundings));
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const isCommanders = error instanceof CommanderError;
    if (isCommanders && error.exitCode === 0) return exitCodes.done;
    // Commander has said what was wrong, but not as JSON.
    if (isCommanders && !asJson) return exitCodes.usage;
    const failure = toFailure(error);
    const text = asJson ? JSON.stringify(failure.toJson()) : failure.lines().join('\n');
    surroundings.errors.write(`${text}\n`);
    return failure.exitCode;
  }
}

function createProgram(surroundings: Surroundings, asJson: boolean): Command {
  const { output, errors } = surroundings;
  const program = new Command('npm run manage --')
    .description('Manages a deployed email service, or the local twin.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.write(text),
      writeErr: (text) => void (asJson || errors.write(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError('(--help says more)')
    .option('--url <url>', 'where the service is, as EMAIL_SERVICE_URL')
    .option('--local', 'the local twin that runs in this checkout')
    .option('--stack <name>', 'the CloudFormation stack of the service (default: EmailService)')
    .option('--profile <name>', 'the AWS profile of its account')
    .option('--region <region>', 'the AWS Region of the stack')
    .option('--key-file <file>', 'has the API key; - is standard input. Else EMAIL_SERVICE_KEY')
    .option('--operator-secret-file <file>', 'likewise, else EMAIL_SERVICE_OPERATOR_SECRET')
    .option('--json', 'print JSON, errors too')
    .option('--yes', 'do not ask')
    .option('--no-color', 'print without colours, as NO_COLOR does')
    .addHelpText('after', exitCodeHelp)
    .hook('preAction', (_, command) => requireNeeded(command));
  return program;
}

/** Adds all groups to the help, and the commands of those that are named. */
async function addGroups(
  program: Command,
  args: readonly string[],
  open: OpenSession,
): Promise<void> {
  for (const { name, description, load } of groups) {
    const group = program.command(name).description(description);
    if (args.includes(name)) (await load())(group, open);
  }
}

const exitCodeHelp = `
Without an option it is the service of EMAIL_SERVICE_URL, else the local twin if it runs, else the stack in the
account of AWS_PROFILE.

Ends with 0 done, 1 failed, 2 wrong usage, 3 not found, 4 not allowed, 5 conflict, 6 not now, 7 something needs
attention, 130 interrupted.`;

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof CommanderError) return toUsageFailure(error);
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Failure(exitCodes.failed, 'unexpected', detail);
}

/** What commander says of a mistake. It says nothing of its own when it has shown the help instead. */
function toUsageFailure({ code, message }: CommanderError): Failure {
  const said = message.replace(/^error: /, '').replaceAll('\n', ' ');
  return usageFailure(code === 'commander.help' ? 'Name a command: --help lists them.' : said);
}

type AddCommands = (group: Command, open: OpenSession) => void;

/** A group of commands. It is loaded when it is named: all of them take a second. */
export type Group = {
  readonly name: string;
  readonly description: string;
  load(): Promise<AddCommands>;
};

export const groups: readonly Group[] = [
  {
    name: 'organizations',
    description: 'The organizations of the deployment, with the operator secret',
    load: async () => (await import('./commands/organizations.ts')).addOrganizations,
  },
  {
    name: 'links',
    description: 'The tracked links of an organization, with the operator secret',
    load: async () => (await import('./commands/organizations.ts')).addLinks,
  },
  {
    name: 'domains',
    description: 'Whose a domain is, with the operator secret',
    load: async () => (await import('./commands/domains.ts')).addDomains,
  },
  {
    name: 'settings',
    description: 'What the organization of the key sets for itself',
    load: async () => (await import('./commands/settings.ts')).addSettings,
  },
  {
    name: 'keys',
    description: 'The API keys of the organization',
    load: async () => (await import('./commands/keys.ts')).addKeys,
  },
  {
    name: 'identity',
    description: 'The domain and address that the organization sends from',
    load: async () => (await import('./commands/identity.ts')).addIdentity,
  },
  {
    name: 'policies',
    description: 'The policies that a send may name',
    load: async () => (await import('./commands/policies.ts')).addPolicies,
  },
  {
    name: 'categories',
    description: 'What recipients may leave one by one',
    load: async () => (await import('./commands/categories.ts')).addCategories,
  },
  {
    name: 'sends',
    description: 'What was sent, and what became of it',
    load: async () => (await import('./commands/sends.ts')).addSends,
  },
  {
    name: 'recipients',
    description: 'What became of the emails to an address',
    load: async () => (await import('./commands/recipients.ts')).addRecipients,
  },
  {
    name: 'suppressions',
    description: 'Addresses that get no email, and why',
    load: async () => (await import('./commands/suppressions.ts')).addSuppressions,
  },
  {
    name: 'webhooks',
    description: 'Endpoints that hear of events',
    load: async () => (await import('./commands/webhooks.ts')).addWebhooks,
  },
  {
    name: 'audit',
    description: 'Who changed what, newest first',
    load: async () => (await import('./commands/audit.ts')).addAudit,
  },
  {
    name: 'console',
    description: 'The app that people use',
    load: async () => (await import('./commands/console.ts')).addConsole,
  },
  {
    name: 'signing-key',
    description: 'The key that signs the links of emails',
    load: async () => (await import('./commands/signing-key.ts')).addSigningKey,
  },
  {
    name: 'doctor',
    description: 'Whether all is well; each line says so, or what to do',
    load: async () => (await import('./commands/doctor.ts')).addDoctor,
  },
];
