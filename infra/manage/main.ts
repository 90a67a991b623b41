import { runManage } from './program.ts';
import { surroundingsOfProcess } from './surroundings.ts';

process.exitCode = await runManage(process.argv.slice(2), surroundingsOfProcess());
