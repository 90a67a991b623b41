import type { Command } from 'commander';
import { serviceVersion } from '../../version.ts';
import { checkDeployment, checkDnsRecords, checkSigningKey } from '../doctor/deployment-checks.ts';
import { counted, drawFindings, type Finding, look, ok, problem } from '../doctor/finding.ts';
import { checkOrganization } from '../doctor/organization-checks.ts';
import { exitCodes, Failure } from '../failure.ts';
import { examples } from '../options.ts';
import type { Session, Sessions } from '../session.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * Checks the organization and the version, and whatever else the target gives access to: the deployment, its DNS
 * records, its signing key.
 */
export function addDoctor(doctor: Command, sessions: Sessions): void {
  doctor
    .addHelpText('after', examples('doctor', 'doctor --stack EmailService --profile production'))
    .action(async (_options, command: Command) => {
      const session = await sessions.open(command);
      const { target, terminal, surroundings, suggest } = session;
      const { deployment, signingKey, dnsRecords } = target;
      const checks = [
        checkOrganization(session),
        signingKey === undefined
          ? []
          : look('tokens', () => checkSigningKey(signingKey(), suggest)),
        deployment === undefined ? [] : checkDeployment(deployment),
        dnsRecords === undefined ? [] : checkDnsRecords(dnsRecords, surroundings.openDnsLookup()),
      ];
      const found = (await Promise.all(checks)).flat();
      const findings = withoutRepetition([...found, ...(await checkVersion(session))]);
      terminal.show({ findings }, (paint) => drawFindings(findings, paint));
      const problems = findings.filter(({ state }) => state === 'problem').length;
      if (problems > 0) {
        const message = `${counted(problems, 'problem')}.`;
        throw new Failure(exitCodes.needsAttention, 'problems_found', message);
      }
    });
}

/** Commands of another version may not fit the API. */
async function checkVersion({ target, surroundings }: Session): Promise<readonly Finding[]> {
  const deployed = await deployedVersion(target.baseUrl, surroundings);
  if (deployed === undefined) return [];
  if (deployed === serviceVersion) return [ok('version', serviceVersion)];
  if (deployed === null) {
    return [
      problem(
        'version',
        'the deployment doesn’t say its version',
        'Check whether the address is the service’s own, and not a proxy’s.',
      ),
    ];
  }
  return [
    problem(
      'version',
      `the deployment is ${deployed}, but this program is ${serviceVersion}`,
      'Use the checkout that was deployed, or upgrade the deployment: see CHANGELOG.md.',
    ),
  ];
}

/** `null` if the answer doesn't say it; `undefined` if there's no answer, which another check reports. */
async function deployedVersion(
  baseUrl: string,
  { fetch }: Surroundings,
): Promise<string | null | undefined> {
  try {
    const signal = AbortSignal.timeout(10_000);
    const { headers } = await fetch(new URL('/llms.txt', baseUrl), { signal });
    return headers.get('x-service-version');
  } catch {
    return undefined;
  }
}

/** Both the API and AWS report on the account. */
const withoutRepetition = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(findings.map((finding) => [`${finding.check} ${finding.says}`, finding])).values(),
];
