import type { Command } from 'commander';
import { keptDays } from '#shared/stored-content/content-lifetimes';
import { asks } from '../actions.ts';
import type { AnswerOf } from '../api/answers.ts';
import type { Block } from '../drawing/layout.ts';
import { drawRecord, foreign } from '../drawing/text-table.ts';
import { changesOf, examples, oneOf, onOrOff, orNone, wholeNumber } from '../options.ts';
import type { Sessions } from '../session.ts';

type Settings = AnswerOf<'GET /api/v1/organization'>;

export function addSettings(settings: Command, { asManager }: Sessions): void {
  settings
    .command('show')
    .description('Shows all settings')
    .addHelpText('after', examples('settings show'))
    .action(asks(asManager, 'GET /api/v1/organization', drawSettings));
  settings
    .command('update')
    .description('Changes settings; the value none removes one')
    .option('--name <name>', 'name of the organization')
    .option('--sender-name <name>', 'display name for the From address', orNone(String))
    .option('--reply-to <email>', 'where replies go', orNone(String))
    .option('--notice-email <email>', 'address for notices', orNone(String))
    .option('--footer-text <text>', 'footer of bulk email', orNone(String))
    .option('--unsubscribe-page-url <url>', 'your own unsubscribe page, https://', orNone(String))
    .option('--default-policy-key <key>', 'the policy for sends that name none', orNone(String))
    .option('--send-retention-days <number>', 'days to keep sends', orNone(wholeNumber))
    .option(
      '--keep-content-days <number>',
      `days to keep the content of emails: ${keptDays.join(', ')}`,
      orNone(wholeNumber),
    )
    .option(
      '--tracking <parts>',
      'what policies track by default: both, opens, clicks or nothing',
      orNone(trackedParts),
    )
    .option(
      '--transactional-unsubscribe <on|off>',
      'whether transactional emails have List-Unsubscribe headers',
      onOrOff,
    )
    .option(
      '--keep-refused-shapes <on|off>',
      'whether refused requests keep the names and types of their body, without values',
      onOrOff,
    )
    .option('--keyless-reading <on|off>', 'whether a send can be read by its id alone', onOrOff)
    .option(
      '--preferences-by-address <on|off>',
      'whether an address alone can read and change preferences',
      orNone(onOrOff),
    )
    .addHelpText(
      'after',
      examples(
        'settings update --sender-name "Example Ltd" --reply-to help@example.com',
        'settings update --reply-to none',
        'settings update --keyless-reading off',
        'settings update --tracking clicks',
      ),
    )
    .action(asks(asManager, 'PATCH /api/v1/organization', drawSettings, { values: changesOf }));
  settings
    .command('confirm-notices')
    .description('Sends the confirmation link to the notice address again')
    .addHelpText('after', examples('settings confirm-notices'))
    .action(asks(asManager, 'POST /api/v1/organization/notice-email/confirmation', drawSettings));
}

const trackedParts = (text: string) => {
  const parts = oneOf(['both', 'opens', 'clicks', 'nothing'])(text);
  return {
    opens: parts === 'both' || parts === 'opens',
    clicks: parts === 'both' || parts === 'clicks',
  };
};

const partsOf = ({ opens = true, clicks = true }: NonNullable<Settings['tracking']>): string =>
  opens ? (clicks ? 'both' : 'opens') : clicks ? 'clicks' : 'nothing';

const drawSettings = (settings: Settings): Block =>
  drawRecord([
    ['ID', settings.id],
    ['Name', foreign(settings.name)],
    ['State', settings.paused === undefined ? undefined : settings.paused ? 'paused' : 'active'],
    ['Attachments', settings.attachmentsEnabled],
    ['Sender name', foreign(settings.senderName)],
    ['Reply to', foreign(settings.replyTo)],
    ['Notices to', foreign(settings.noticeEmail)],
    ['Notice address', settings.noticeEmailState],
    ['Footer', foreign(settings.footerText)],
    ['Unsubscribe page', foreign(settings.unsubscribePageUrl)],
    ['Default policy', settings.defaultPolicyKey],
    ['Preferences by address', settings.preferencesByAddress],
    ['Days sends are kept', settings.sendRetentionDays],
    ['Days contents are kept', settings.keepContentDays],
    ['Sends readable without a key', settings.keylessReading],
    ['Bodies of refused requests', settings.keepRefusedShapes && 'names and types'],
    ['Tracking', settings.tracking && partsOf(settings.tracking)],
    ['One-click unsubscribe of transactional', settings.transactionalUnsubscribe],
  ]);
