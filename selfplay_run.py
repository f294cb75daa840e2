import os
import sys
import threading
import time

import numpy as np

import damier
from damier import Engine

out=os.environ["OUT"]; T=16
plan=dict(chess=(1000,150),loa=(800,60),english=(800,35),international=(800,50),russian=(800,25),frisian=(800,25),turkish=(800,20),brazilian=(800,15),italian=(800,15),spanish=(800,10),pool=(800,10),czech=(800,10),paris=(800,10),rennes=(300,5))
scale=float(sys.argv[1]) if len(sys.argv)>1 else 1
for game,(nodes,secs) in plan.items():
    secs*=scale
    end=time.time()+secs; parts=[]; lock=threading.Lock(); nxt=[0]
    def work():
        e=Engine(game,hash=2); b=damier.board(game)
        while time.time()<end:
            with lock: n=nxt[0]; nxt[0]+=4
            p=e._core.play_games(b,4,seed=20261115,first_game=n,random_plies=8 if game!="chess" else 8,nodes=nodes)
            with lock: parts.append(p)
    ts=[threading.Thread(target=work) for _ in range(T)]
    [t.start() for t in ts]; [t.join() for t in ts]
    cat=lambda k:np.concatenate([p[k] for p in parts])
    lens=np.concatenate([np.diff(np.concatenate([[0],p["ends"]])) for p in parts])
    slens=np.concatenate([np.diff(np.concatenate([[0],p["score_ends"]])) for p in parts])
    np.savez_compressed(f"{out}/{game}.npz",codes=cat("codes"),lens=lens.astype(np.int32),scores=cat("scores"),plies=slens.astype(np.int32),results=cat("results"))
    r=cat("results"); print(game,len(r),"games",int(slens.sum()),"plies, results",np.bincount(r,minlength=3), os.path.getsize(f"{out}/{game}.npz"),flush=True)
