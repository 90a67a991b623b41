import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

export type ServiceAlarmProps = {
  readonly metric: IMetric;
  /** The alarm rings from this value on. */
  readonly threshold: number;
  /** What it means for senders and recipients, and the first thing to do: the alarm's description. */
  readonly impact: string;
  readonly alarmTopic: ITopic;
};

/** The only way this stack makes an alarm: none without its impact, none that nobody hears. */
export class ServiceAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: ServiceAlarmProps) {
    super(scope, id, {
      metric: props.metric,
      threshold: props.threshold,
      alarmDescription: props.impact,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // No traffic is no data, and no reason to ring.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    this.addAlarmAction(new SnsAction(props.alarmTopic));
    this.addOkAction(new SnsAction(props.alarmTopic));
  }
}
