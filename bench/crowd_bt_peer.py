"""Planted annotators, and Crowd-BT's penalised likelihood at its highest by SciPy: python crowd_bt_peer.py OUT.json

No published program fits this model. crowd-kit's NoisyBradleyTerry has another: an unreliable rater then prefers a side,
where Crowd-BT's prefers the worse of the two; choix has no raters.
"""
import json, sys
import numpy as np
from scipy.optimize import minimize
rng=np.random.default_rng(7)
M,K=4,6
s=np.array([1.0,.4,-.3,-1.1]); r=[.95,.9,.85,.8,.5,.1]
rows=[]
for k in range(K):
    for _ in range(40):
        a,b=rng.choice(M,2,replace=False)
        p=1/(1+np.exp(s[b]-s[a])); w=rng.random()<(r[k]*p+(1-r[k])*(1-p))
        rows.append([int(a),int(b),"a" if w else "b",k])
A=np.array([x[0] for x in rows]);B=np.array([x[1] for x in rows]);W=np.array([x[2]=="a" for x in rows]);Kk=np.array([x[3] for x in rows])
prior=.5
iu=[(i,j) for i in range(M) for j in range(i+1,M)]
def nll(x):
    st=np.append(x[:M-1],-x[:M-1].sum()); e=1/(1+np.exp(-x[M-1:]))
    p=1/(1+np.exp(st[B]-st[A])); q=e[Kk]*p+(1-e[Kk])*(1-p); q=np.where(W,q,1-q)
    v=-np.log(q).sum()-(np.log(e)+np.log(1-e)).sum()
    for i,j in iu:
        d=st[i]-st[j]; v+=prior*(np.log1p(np.exp(-d))+np.log1p(np.exp(d)))
    return v
x0=np.concatenate([np.zeros(M-1),np.full(K,2.)]); x0[0]=.5
best=minimize(nll,x0,method="BFGS",options={"gtol":1e-9,"maxiter":5000})
st=np.append(best.x[:M-1],-best.x[:M-1].sum()); e=1/(1+np.exp(-best.x[M-1:]))
json.dump({"how":"Planted annotators; the penalised likelihood of Crowd-BT (one answer added each way for each annotator, half a win each way between any two models) at its highest by SciPy 1.17.1, BFGS: bench/crowd_bt_peer.py. Rows: a, b, preferred, annotator.","models":M,"prior":prior,"rows":rows,"strengths":[float(v) for v in st],"reliability":[float(v) for v in e]},open(sys.argv[1], "w"))
