import { Command, CommanderError } from 'commander';
import { type ExitCode, exitCodes, Failure, usageFailure } from './failure.ts';
import { checkGiven } from './options.ts';
import { openSessions, type Sessions } from './session.ts';
import type { Surroundings } from './surroundings.ts';

export async function runManage(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  const asJson = args.includes('--json');
  const program = createProgram(surroundings, asJson);
  try {
    await addGroups(program, args, openSessions(surroundings));
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const isCommanders = error instanceof CommanderError;
    if (isCommanders && error.exitCode === 0) return exitCodes.done;
    // Commander has already printed the error, but not as JSON.
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
    .description('Manages a deployed email service, or the local server.')
    .exitOverride()
    .allowExcessArguments()
    .configureOutput({
      writeOut: (text) => output.write(text),
      writeErr: (text) => void (asJson || errors.write(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError('(see --help)')
    .option('--url <url>', 'URL of the service (or EMAIL_SERVICE_URL)')
    .option('--local', 'the local server running in this checkout')
    .option('--stack <name>', 'CloudFormation stack of the service (default: EmailService)')
    .option('--profile <name>', 'AWS profile for its account')
    .option('--region <region>', 'AWS Region of the stack')
    .option(
      '--key-file <file>',
      'file with the API key, - for standard input (or EMAIL_SERVICE_KEY)',
    )
    .option(
      '--operator-secret-file <file>',
      'file with the operator secret (or EMAIL_SERVICE_OPERATOR_SECRET)',
    )
    .option('--json', 'print JSON, including errors')
    .option('--yes', 'skip confirmation')
    .option('--no-color', 'no colours (or NO_COLOR)')
    .addHelpText('after', exitCodeHelp)
    .hook('preAction', (_, command) => checkGiven(command));
  return program;
}

/** Loads only the groups that the command line names. */
async function addGroups(
  program: Command,
  args: readonly string[],
  sessions: Sessions,
): Promise<void> {
  for (const { name, description, load } of groups) {
    const group = program.command(name).description(description);
    if (args.includes(name)) (await load())(group, sessions);
  }
}

const exitCodeHelp = `
Without --url, --local or --stack, commands go to EMAIL_SERVICE_URL, else to the local server if it's running (if
several are, choose one with PORT=…), else to the stack in the account of AWS_PROFILE.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 not allowed, 5 conflict, 6 unavailable: try again,
7 needs attention, 130 interrupted.`;

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof CommanderError) return toUsageFailure(error);
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Failure(exitCodes.failed, 'unexpected', detail);
}

/** Commander's message, unless it showed the help instead. */
function toUsageFailure({ code, message }: CommanderError): Failure {
  const said = message.replace(/^error: /, '').replaceAll('\n', ' ');
  return usageFailure(code === 'commander.help' ? 'No command given: --help lists them.' : said);
}

type AddCommands = (group: Command, sessions: Sessions) => void;

/** Loaded only when named: loading all of them takes a second. */
export type Group = {
  readonly name: string;
  readonly description: string;
  load(): Promise<AddCommands>;
};

export const groups: readonly Group[] = [
  {
    name: 'organizations',
    description: 'Organizations of the deployment (operator secret)',
    load: async () => (await import('./commands/organizations.ts')).addOrganizations,
  },
  {
    name: 'links',
    description: 'Tracked links of an organization (operator secret)',
    load: async () => (await import('./commands/organizations.ts')).addLinks,
  },
  {
    name: 'domain-claims',
    description: 'Who owns which domain (operator secret)',
    load: async () => (await import('./commands/domain-claims.ts')).addDomainClaims,
  },
  {
    name: 'settings',
    description: 'Settings of your organization',
    load: async () => (await import('./commands/settings.ts')).addSettings,
  },
  {
    name: 'keys',
    description: 'API keys of your organization',
    load: async () => (await import('./commands/keys.ts')).addKeys,
  },
  {
    name: 'people',
    description: 'Who signs in to the console of your organization',
    load: async () => (await import('./commands/people.ts')).addPeople,
  },
  {
    name: 'identity',
    description: 'The default domain and address you send from',
    load: async () => (await import('./commands/identity.ts')).addIdentity,
  },
  {
    name: 'domains',
    description: 'All domains you send from',
    load: async () => (await import('./commands/domains.ts')).addDomains,
  },
  {
    name: 'policies',
    description: 'Policies that sends can name',
    load: async () => (await import('./commands/policies.ts')).addPolicies,
  },
  {
    name: 'categories',
    description: 'Categories that recipients can unsubscribe from',
    load: async () => (await import('./commands/categories.ts')).addCategories,
  },
  {
    name: 'sends',
    description: 'Emails and what happened to them',
    load: async () => (await import('./commands/sends.ts')).addSends,
  },
  {
    name: 'templates',
    description: 'Templates, from and to a folder',
    load: async () => (await import('./commands/templates.ts')).addTemplates,
  },
  {
    name: 'recipients',
    description: 'What happened to emails to an address',
    load: async () => (await import('./commands/recipients.ts')).addRecipients,
  },
  {
    name: 'suppressions',
    description: 'Addresses that get no email, and why',
    load: async () => (await import('./commands/suppressions.ts')).addSuppressions,
  },
  {
    name: 'webhooks',
    description: 'Endpoints that receive events',
    load: async () => (await import('./commands/webhooks.ts')).addWebhooks,
  },
  {
    name: 'requests',
    description: 'Requests that were refused, newest first',
    load: async () => (await import('./commands/requests.ts')).addRequests,
  },
  {
    name: 'usage',
    description: 'What was sent, with which outcome, and how fast it arrived',
    load: async () => (await import('./commands/usage.ts')).addUsage,
  },
  {
    name: 'audit',
    description: 'Who changed what, newest first',
    load: async () => (await import('./commands/audit.ts')).addAudit,
  },
  {
    name: 'console',
    description: 'The web console',
    load: async () => (await import('./commands/console.ts')).addConsole,
  },
  {
    name: 'signing-key',
    description: 'The key that signs the links in emails',
    load: async () => (await import('./commands/signing-key.ts')).addSigningKey,
  },
  {
    name: 'doctor',
    description: 'Checks everything and says what to fix',
    load: async () => (await import('./commands/doctor.ts')).addDoctor,
  },
];
