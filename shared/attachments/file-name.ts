import { hasControlCharacter, turnsDirection } from '#shared/contacts/email-address';

/** SES API v2 reference, "Attachment", FileName. */
const maxFileNameLength = 255;

/** SES developer guide, "Amazon SES unsupported attachment types". */
const forbiddenExtensions = new Set(
  (
    'ade adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its ' +
    'js jse ksh lib lnk mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh ' +
    'msh1 msh2 mshxml msh1xml msh2xml msi msp mst ops pcd pif plg prf prg reg scf scr sct shb shs ' +
    'sys ps1 ps1xml ps2 ps2xml psc1 psc2 tmp url vb vbe vbs vps vsmacros vss vst vsw vxd ws wsc wsf ' +
    'wsh xnk'
  ).split(' '),
);

/**
 * Unicode is kept, because SES encodes it. But it's judged in the form that systems compare names by, where `ａ．ｅｘｅ`
 * is `a.exe`.
 */
export function fileNameFault(name: string): string | undefined {
  const plain = plainForm(name);
  return malformation(name) ?? malformationOfText(plain) ?? forbiddenType(plain);
}

const ignorable = /\p{Default_Ignorable_Code_Point}+/gu;

/** Compatibility forms as their plain letters and signs, without invisible characters (UAX #44, "NFKC_Casefold"). */
const plainForm = (name: string): string => name.normalize('NFKC').replaceAll(ignorable, '');

/** The fault of the name itself, whatever the file. */
export const malformation = (name: string): string | undefined =>
  name.length > maxFileNameLength
    ? `must have at most ${maxFileNameLength} characters`
    : malformationOfText(name);

function malformationOfText(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty';
  if (hasControlCharacter(name) || turnsDirection(name) || !name.isWellFormed()) {
    return 'must not contain control characters, line breaks or broken unicode';
  }
  if (/[/\\]/.test(name) || name === '.' || name === '..') {
    return 'must be a bare file name, without a path';
  }
  return undefined;
}

/**
 * Windows drops trailing full stops and spaces, and takes what follows a colon for a stream of the file before it, as
 * in `a.exe::$DATA`. To Windows, `.exe` has an extension, too.
 */
function forbiddenType(name: string): string | undefined {
  const extensions = name
    .split(':')
    .map((part) => withoutEnd(part).split('.').slice(1).at(-1)?.trim().toLowerCase() ?? '');
  const forbidden = extensions.find((extension) => forbiddenExtensions.has(extension));
  if (forbidden === undefined) return undefined;
  return `must not end in .${forbidden}: Amazon SES refuses attachments of that type, as they are a common way to spread malware`;
}

const withoutEnd = (name: string): string => name.replace(/[.\s]{1,255}$/, '');

/** `pdf` for `Report.PDF`; nothing for `.gitignore`. */
export function extensionOf(name: string): string | undefined {
  const [, extension] = /[^.]\.([^.]+)$/.exec(withoutEnd(name)) ?? [];
  return extension?.toLowerCase();
}
