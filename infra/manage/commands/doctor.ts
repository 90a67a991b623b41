import type { Command } from 'commander';
import { checkDeployment, checkSigningKey } from '../doctor/deployment-checks.ts';
import { counted, drawFindings, type Finding, look } from '../doctor/finding.ts';
import { checkOrganization } from '../doctor/organization-checks.ts';
import { exitCodes, Failure } from '../failure.ts';
import { examples } from '../options.ts';
import type { OpenSession } from '../session.ts';

export function addDoctor(doctor: Command, open: OpenSession): void {
  doctor
    .addHelpText('after', examples('doctor', 'doctor --stack EmailService --profile production'))
    .action(async (_options, command: Command) => {
      const session = await open(command);
      const { target, terminal } = session;
      const { deployment, signingKey } = target;
      const checks = [
        checkOrganization(session),
        signingKey === undefined ? [] : look('tokens', () => checkSigningKey(signingKey())),
        deployment === undefined ? [] : checkDeployment(deployment),
      ];
      const findings = withoutRepetition((await Promise.all(checks)).flat());
      terminal.show({ findings }, (paint) => drawFindings(findings, paint));
      const problems = findings.filter(({ state }) => state === 'problem').length;
      if (problems > 0) {
        const message = `${counted(problems, 'problem')}.`;
        throw new Failure(exitCodes.needsAttention, 'problems_found', message);
      }
    });
}

/** Both the API and AWS report on the account. */
const withoutRepetition = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(findings.map((finding) => [`${finding.check} ${finding.says}`, finding])).values(),
];
