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
 * Unicode is kept, because SES encodes it. Windows drops trailing full stops and spaces, so they can't hide an
 * extension here.
 */
export function fileNameFault(name: string): string | undefined {
  return malformation(name) ?? forbiddenType(extensionOf(name));
}

/** What is wrong with the name itself, whatever the file. */
export function malformation(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty';
  if (name.length > maxFileNameLength) return `must have at most ${maxFileNameLength} characters`;
  if (hasControlCharacter(name) || turnsDirection(name) || !name.isWellFormed()) {
    return 'must not contain control characters, line breaks or broken unicode';
  }
  if (/[/\\]/.test(name) || name === '.' || name === '..') {
    return 'must be a bare file name, without a path';
  }
  return undefined;
}

function forbiddenType(extension = ''): string | undefined {
  if (!forbiddenExtensions.has(extension)) return undefined;
  return `must not end in .${extension}: Amazon SES refuses attachments of that type, as they are a common way to spread malware`;
}

/** `pdf` for `Report.PDF`. */
export function extensionOf(name: string): string | undefined {
  const [, extension] = /[^.]\.([^.]+)$/.exec(name.replace(/[. ]{1,255}$/, '')) ?? [];
  return extension?.toLowerCase();
}
