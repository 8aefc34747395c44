import { hostility } from '../../matrix/hostile.ts';

const { offered, standFirm } = await hostility();

standFirm(offered);
