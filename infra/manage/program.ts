import { Command, CommanderError } from 'commander';
import { layOut } from './drawing/layout.ts';
import { type ExitCode, exitCodes, Failure, usageFailure } from './failure.ts';
import { addHelp, helpSettings } from './help.ts';
import { checkGiven } from './options.ts';
import { openSessions, type Sessions } from './session.ts';
import type { Output, Surroundings } from './surroundings.ts';
import { columnsOf, usualWidth } from './terminal.ts';

export async function runManage(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  const asJson = args.includes('--json');
  const program = createProgram(surroundings, asJson);
  try {
    await addGroups(program, args, openSessions(surroundings));
    addHelp(program);
    await program.parseAsync(withHelpFirst(args), { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const isCommanders = error instanceof CommanderError;
    if (isCommanders && error.exitCode === 0) return exitCodes.done;
    // Commander has already printed the error, but not as JSON.
    if (isCommanders && !asJson) return exitCodes.usage;
    const failure = toFailure(error);
    const text = asJson
      ? JSON.stringify(failure.toJson())
      : layOut(failure.lines(), columnsOf(surroundings.errors));
    surroundings.errors.write(`${text}\n`);
    return failure.exitCode;
  }
}

/** Commander would answer `webhok --help` with the first page, as if nothing were misspelt. */
function withHelpFirst(args: readonly string[]): readonly string[] {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  const asksForHelp = args.some((arg) => arg === '--help' || arg === '-h');
  return asksForHelp && end > 0 ? ['help', ...args.slice(0, end)] : args;
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
      getOutHelpWidth: () => helpWidthOf(output),
      getErrHelpWidth: () => helpWidthOf(errors),
    })
    .configureHelp(helpSettings)
    .usage('<topic> <command> [options]')
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
    .hook('preAction', (_, command) => checkGiven(command));
  return program;
}

const helpWidthOf = (stream: Output): number => Math.min(columnsOf(stream), usualWidth);

/** Loads only the groups that the command line names. */
async function addGroups(
  program: Command,
  args: readonly string[],
  sessions: Sessions,
): Promise<void> {
  for (const { name, alias, section, description, load } of groups) {
    const group = program.command(name).description(description).helpGroup(`${section}:`);
    if (alias !== undefined) group.alias(alias);
    const isNamed = args.some((arg) => arg === name || arg === alias);
    if (isNamed) (await load())(group, sessions);
  }
}

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
  readonly alias?: string;
  /** Of the first page of the help. */
  readonly section: 'Emails' | 'Recipients' | 'Connect' | 'Organization' | 'Deployment';
  readonly description: string;
  load(): Promise<AddCommands>;
};

export const groups: readonly Group[] = [
  {
    name: 'sends',
    section: 'Emails',
    description: 'Emails and what happened to them',
    load: async () => (await import('./commands/sends.ts')).addSends,
  },
  {
    name: 'templates',
    section: 'Emails',
    description: 'Templates, from and to a folder',
    load: async () => (await import('./commands/templates.ts')).addTemplates,
  },
  {
    name: 'metrics',
    section: 'Emails',
    description: 'What became of emails, over time and by group',
    load: async () => (await import('./commands/metrics.ts')).addMetrics,
  },
  {
    name: 'usage',
    section: 'Emails',
    description: 'What was sent, with which outcome, and how fast it arrived',
    load: async () => (await import('./commands/usage.ts')).addUsage,
  },
  {
    name: 'recipient',
    section: 'Recipients',
    description: 'Did they get it? Everything about one address',
    load: async () => (await import('./commands/recipients.ts')).addRecipient,
  },
  {
    name: 'recipients',
    section: 'Recipients',
    description: 'What happened to emails to an address',
    load: async () => (await import('./commands/recipients.ts')).addRecipients,
  },
  {
    name: 'contacts',
    section: 'Recipients',
    description: 'Who your emails go to, and erasing a person',
    load: async () => (await import('./commands/contacts.ts')).addContacts,
  },
  {
    name: 'suppressions',
    section: 'Recipients',
    description: 'Addresses that get no email, and why',
    load: async () => (await import('./commands/suppressions.ts')).addSuppressions,
  },
  {
    name: 'webhooks',
    section: 'Connect',
    description: 'Endpoints that receive events',
    load: async () => (await import('./commands/webhooks.ts')).addWebhooks,
  },
  {
    name: 'requests',
    alias: 'refused',
    section: 'Connect',
    description: 'Requests that were refused, newest first',
    load: async () => (await import('./commands/requests.ts')).addRequests,
  },
  {
    name: 'keys',
    section: 'Connect',
    description: 'API keys of your organization',
    load: async () => (await import('./commands/keys.ts')).addKeys,
  },
  {
    name: 'domains',
    section: 'Connect',
    description: 'All domains you send from',
    load: async () => (await import('./commands/domains.ts')).addDomains,
  },
  {
    name: 'identity',
    section: 'Connect',
    description: 'The default domain and address you send from',
    load: async () => (await import('./commands/identity.ts')).addIdentity,
  },
  {
    name: 'settings',
    section: 'Organization',
    description: 'Settings of your organization',
    load: async () => (await import('./commands/settings.ts')).addSettings,
  },
  {
    name: 'people',
    section: 'Organization',
    description: 'Who signs in to the console of your organization',
    load: async () => (await import('./commands/people.ts')).addPeople,
  },
  {
    name: 'notices',
    section: 'Organization',
    description: 'Notices in Slack, Teams and PagerDuty',
    load: async () => (await import('./commands/notices.ts')).addNotices,
  },
  {
    name: 'policies',
    section: 'Organization',
    description: 'Policies that sends can name',
    load: async () => (await import('./commands/policies.ts')).addPolicies,
  },
  {
    name: 'categories',
    section: 'Organization',
    description: 'Categories that recipients can unsubscribe from',
    load: async () => (await import('./commands/categories.ts')).addCategories,
  },
  {
    name: 'audit',
    section: 'Organization',
    description: 'Who changed what, newest first',
    load: async () => (await import('./commands/audit.ts')).addAudit,
  },
  {
    name: 'console',
    section: 'Organization',
    description: 'The web console',
    load: async () => (await import('./commands/console.ts')).addConsole,
  },
  {
    name: 'doctor',
    section: 'Deployment',
    description: 'Checks everything and says what to fix',
    load: async () => (await import('./commands/doctor.ts')).addDoctor,
  },
  {
    name: 'organizations',
    section: 'Deployment',
    description: 'Organizations of the deployment (operator secret)',
    load: async () => (await import('./commands/organizations.ts')).addOrganizations,
  },
  {
    name: 'links',
    section: 'Deployment',
    description: 'Tracked links of an organization (operator secret)',
    load: async () => (await import('./commands/organizations.ts')).addLinks,
  },
  {
    name: 'domain-claims',
    section: 'Deployment',
    description: 'Who owns which domain (operator secret)',
    load: async () => (await import('./commands/domain-claims.ts')).addDomainClaims,
  },
  {
    name: 'signing-key',
    section: 'Deployment',
    description: 'The key that signs the links in emails',
    load: async () => (await import('./commands/signing-key.ts')).addSigningKey,
  },
];
