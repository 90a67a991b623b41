import {
  ConfigurationSet,
  type ConfigurationSetProps,
  ConfigurationSetTlsPolicy,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { SesSuppressionChoice } from '#shared/config/ses-settings';

/**
 * The service suppresses for each organization before it calls SES. SES's own list only drops emails to recent bounces,
 * and all who aren't tenants share it.
 */
const suppressionProps = {
  nobody: { disableSuppressionList: true },
  bounces: { suppressionReasons: SuppressionReasons.BOUNCES_ONLY },
  bounces_and_complaints: { suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS },
} as const satisfies Record<SesSuppressionChoice, Partial<ConfigurationSetProps>>;

export class SendingConfiguration extends Construct {
  readonly configurationSet: ConfigurationSet;

  constructor(scope: Construct, id: string, suppresses: SesSuppressionChoice) {
    super(scope, id);
    this.configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      // SES uses TLS wherever the receiver offers it. Requiring it would drop a password reset for a person whose mail
      // server doesn't, and who can do least about it.
      tlsPolicy: ConfigurationSetTlsPolicy.OPTIONAL,
      reputationMetrics: true,
      ...suppressionProps[suppresses],
    });
  }
}
