import {
  ConfigurationSet,
  type ConfigurationSetProps,
  ConfigurationSetTlsPolicy,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { SesSuppressionChoice } from '#shared/config/ses-settings';

/**
 * The service suppresses for each organization, before it calls SES. What SES adds is a list that holds back an
 * email to somebody who bounced a moment ago, and that all who aren't tenants share.
 */
const suppressionProps = {
  nobody: { disableSuppressionList: true },
  bounces: { suppressionReasons: SuppressionReasons.BOUNCES_ONLY },
  bounces_and_complaints: { suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS },
} as const satisfies Record<SesSuppressionChoice, Partial<ConfigurationSetProps>>;

/** The SES configuration set every email goes through. */
export class SendingConfiguration extends Construct {
  readonly configurationSet: ConfigurationSet;

  constructor(scope: Construct, id: string, suppresses: SesSuppressionChoice) {
    super(scope, id);
    this.configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      // SES uses TLS wherever the receiver offers it. To require it would drop a password reset for a
      // person whose mail server does not, and that person is the one who can do least about it.
      tlsPolicy: ConfigurationSetTlsPolicy.OPTIONAL,
      reputationMetrics: true,
      ...suppressionProps[suppresses],
    });
  }
}
