import { offered, standFirm } from '../../matrix/hostile.ts';

standFirm(offered);
