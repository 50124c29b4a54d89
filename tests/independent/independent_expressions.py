"""Expressions by the type of the column that takes them, two spaces between them: constants most of all."""

from __future__ import annotations

#: mean something on every backend
EVERYWHERE = {
    "num": """
1/3  1/3+2  2/3*3  -(1/3)  1 if p else 2  1.0 if p else 2  (1+2)*a  a*(1+2)  a+1/3  1/3+a  a/3  3/a if a != 0 else 1
-0.0  -0  0.0  --0.0  -(0.0)  --1.3  ---1.3  -32768  -32768.0  --32768  -dt  dt  dt*dt  dt/3  1/dt  dt+1  -dt+dt
3*dt  min(1,2)  min(2,1.5)  max(-0.0,0.0)  min(-0.0,0.0)  min(0.0,-0.0)  clamp(2.5,0,1)  clamp(1,2,3)  lerp(1,2,3)
lerp(1,2,0.3)  lerp(a,2,0.3)  lerp(1,2,a)  lerp(1,a,2)  abs(-3)  abs(-0.0)  abs(-3.5)  abs(-(1/3))  floor(-7/2)
ceil(-7/2)  ceil(-0.5)  floor(2.5)  sqrt(2)  sqrt(1/2)  c1  c2  -c1  -c2  c1+c2  c1/c2  c2/c1  c3  -c3  --c3  c4
-c4  c1*a  a*c1  1e-99  1e-5*3  0.000007  0.0000077  0.00000762939453125  0.00002288818359375  -0.00000762939453125
0.0000076293945312500000001  12345.678901234567890123456789  32767.9999  -32767.99999999  1_000.5  1_0e-1_0  0x10
0b11  0o17  0x7f_ff  1.  .5  5.e-1  num(5)  num(-5)  num(32767)  num(100000)  num(-100000)  num(u32(-1))
num(2147483647)  num(16777217)  num(-2147483648)  num(1+2)  num(7//2)  num(c1)  num(1 if p else 2)  sum(unit.a*2)
a if 1<2 else b  a if 1/2<1 else b  a if 1/3==1/3 else b  a if 0.5*2==1 else b  a if 5//2==2 else b
a if (1 if p else 2)<a else b  a if 1.5<2 else 1  a if -0.0==0 else 1  (1 if p else 2)+a  a+(1 if p else 2)
(1/2 if p else 2)*(1+a)  0.1  0.3  1.00000005960464477539  1.000000059604644775390625
1.0000000596046447753906250000000000000001  1e-45  0.7e-45  7e-46  min(1/2,2)  a-1-2  1-2-a  2*3+a  1+2+a  5-(1-a)
-a*2  -(2*a)  -1*a  1-1.5  7-2*3  1+dt  2+dt/3  (1+2)/3  (1+2)*1.5  1/3*3  1 if 2<3 else 1.5  min(1,2)+0.5
max(1/3,1/4)/2  clamp(5,1,2)/2  lerp(0,10,1/3)  num(-1)  v.x*(1 if p else 2)  00  0e0  -0e0  1e+2  1E-2  0.0e5
a*-0.0  a+-0.0  0*a  -0*a  a-0  0-a  -a  abs(-a*0)  floor(-0.3)  ceil(-0.3)  a*(1-1)  min(a,1/3)  max(1/3,a)
clamp(1/3,a*0,1)  clamp(a,-1/3,1/3)  lerp(1/3,a,0)  sum(unit.a+1/3)  sum(1*unit.a)  max(1-unit.a)  num(i)/2*3-1
c2*c2*a  a*c2*c2  (c2*c2)*a  -c2*-c2  -(-c2)  1.5 if 1<2 else a  a if c1==3 else b  a if c1==3.0 else b
a if c1/2==1.5 else b  a if c4==0 else b  a if -32768 < a else b  a if 1 < 1.5 else b  a if 3//2 == 1 else b
a if dt > 0 else b  a if dt == 1/60 else b  a if num(1) < a else b  num(c1)/c1  lerp(a,b,1)  lerp(0,1,a)
lerp(c1,c2,a)  lerp(c1,a,c2)  min(min(1,2),a)  min(min(1,2),3)  max(1 if p else 2, a)
""",
    "i32": """
7//2  -7//2  -7%2  7%-2  -2147483648  2147483647  -2147483648//-1  -2147483648%-1  1<<31  1<<32  1<<33  -1>>1
-1<<-1  5>>33  ~5  ~-1  -(-2147483648)  --2147483647  1 if p else 2  min(1,2)  max(3,-4)  clamp(9,1,3)  abs(-3)
abs(-2147483648)  c1  -c1  c3  -c3  c1*c3  c1//c3  (1+2)*i  i*(2+3)  i+1//1  tick+1  row*2  rows-1  row+rows*tick
unit.rows  i32(p)  i32(True)  i32(False)+1  i32(u32(-1))  i32(u)  i32(4294967295)  i32(5)  round(1.5)  round(2.5)
round(-0.5)  round(-1.5)  round(1)  round(1/3*3)  round(dt*60)  round(32767.75)  round(-32768)  (1 if p else 2)*i
i&3|4^1  i^-1  1+2<<3  1<<2+1  i-1-2-3  2-(3-i)  count(unit.p)  count(unit.i>0)  sum(unit.i)  min(unit.i)
max(unit.i*2-1)  sum(unit.i*unit.j)+tick  max(min(unit.i),2)  min(sum(unit.i),max(unit.i))  2147483647+1
-2147483648-1  65536*65536  123456789*987654321  3+4*i  0 if i==1 else 3  i32(1<2)+i32(1.5<2)  unit[0].i+unit[1].j
unit[row].j  unit[u32(1)].j  unit[(1 if p else 2)].j  unit[1].j  unit[-0].j  unit[c1].j  0xFFFF  1_000  0b1_0
-0x80000000  i if not p and True or False else j  i if p == (i<j) else j  i if p != True else j
i%3 if i//2 < 1 else i  i32(-1)  i32(2147483648)  i32(1+2)  i32(1-2)  i32(c3)  i32(c1)  i32(1 if p else 2)  (7//2)*i
1 if i<1 else 2  c1 if p else c3  i*c3//c1  round(c2)  round(1/2)  round(3)  round(-c2)  i32(u32(i))  i32(u)//3
-c1//c1  7//-2  -7//-2  -7%-2  i//c3  i%c3  i<<c1  i>>c1  c1<<i  i32(p)*c1  count(unit.a>1/3)  count(unit.p!=True)
count(1<unit.i)  count(unit.v==unit.v)  i if p else -2147483648  -2147483648 if p else i  i*-1  i- -1  i--1  ~-i
-~i  -i//2  -i%3  ~i&3  i
""",
    "u32": """
5  4294967295  u+1  1+u  u-1  -u  ~u  u<<1  u<<33  u>>1  u>>31  1<<u  u//3  7//(u|1)  u%7  u*u  u*2654435761  u&0xff
u|0x80000000  u^0xffffffff  u32(i)  u32(-1)  u32(5)  u32(2654435761)  u32(4294967295)  u32(t)  u32(angle(u))
u32(turn(0.25))  u32(angle(5))  min(u,3)  max(3,u)  clamp(u,1,5)  u if u<5 else 5  u if 5<u else 1+2  sum(unit.u)
max(unit.u)  min(unit.u)  sum(unit.u*2+1)  1+2  5//2  ~5  1-2  (1 if p else 3)+u  (1 if p else 3)  c1  c1+u  7<<29
1<<31  u32(1+2)  u32(1-2)  u32(2147483648)  u32(-2147483648)  u32(c1)  u32(c3)  u32(3 if p else 4)  rand_u32()
rand_u32()%6  min(5,7)  max(4294967295,1)  u<<(1-2)  u32(2147483647+1)  u32(-1 if p else 0)  u32(c1+1)  u32(--1)
u32(-c1)  u32(0)  u32(-0)  u32(turn(-0.25))  u32(angle(4294967295))  u32(angle(3000000000))  u*(1-2)  u+(0-1)
(0-1)+u  u//(1-2)  min(u,1-2)  1-2 if p else u  u if u<1-2 else 0
""",
    "angle": """
5  4294967295  t+t  t-t  -t  t+1  1+t  t*3  t*-3  t*i  t*(1+2)  t*c1  turn(0.25)  turn(1)  turn(-0.25)  turn(0.1)
turn(0.37)  turn(1e-10)  turn(2e-10)  turn(0.00000000011641532182693481445312500)
turn(0.00000000034924596548080444335937500)  turn(c2)  turn(c3)  turn(-c2)  turn(dt)  turn(123456789.123)
turn(1e50)  turn(-1e-11)  angle(u)  angle(5)  angle(u32(-1))  angle(4294967295)  heading(v)  heading(vec2(0,0))
heading(vec2(1,0))  heading(vec2(-1,-0.0))  heading(vec2(0,-1))  t if t<turn(0.5) else turn(0)  t if t==5 else 6
5 if p else 6  t if 5<t else 1+2  1+2  c1  t*2147483647  t*-2147483648  t-turn(0.75)  -turn(0.1)
turn(0.1) if t>=t else t  turn(0)  turn(0.5)*2  turn(0.5)*3+1  angle(1-2)  t*(7//2)  t*(1-2)  t+(1-2)  turn(-0.5)
turn(-0)  turn(1e99)  turn(-1e-99)  t if p else 1-2  turn(0x10)  turn(1_0)  turn(c4)  turn(-c4)  turn(0.3)*c1
-turn(0.3)*c1  heading(vec2(c1,c2))  heading(v*2)+1  heading(-v)  t*row  t*tick  3*t  i*t  c1*t  (1+2)*t  -1*t
row*t*tick
""",
    "vec2": """
v*2  2*v  v*(1+2)  (1/3)*v  v/3  v/(1/3)  v*v  v*a  a*v  v+v  v-v  -v  vec2(1,2)  vec2(a,1/3)  vec2(c1,c2)
min(v,vec2(0,0))  max(vec2(0,0),v)  clamp(v,vec2(-1,-1),vec2(1,0.5))  abs(v)  lerp(v,vec2(5,-3),1/8)  lerp(v,v*2,a)
lerp(v,v,dt)  normalize(v)  normalize(vec2(0,0))  normalize(vec2(-0.0,-0.0))  normalize(v*0.00001)
vec2(length(v),dot(v,v))  vec2(distance(v,vec2(3,4)),0)  vec2(length(w),dot(w,w))  vec2(w.x,w.z)  vec2(w.y,v.y)
v if v==v*1 else -v  v if v!=vec2(a,a) else vec2(0,0)  vec2(0,0) if p else v  sum(unit.v)  sum(unit.v*2)
vec2(sum(unit.w.y),max(unit.v.x))  unit[0].v  unit[1].v*2  vec2(unit[0].v.y,unit[2].w.z)  v*dt  v*-2  v/-2  v*c2
v*(1 if p else 2)  vec2(1 if p else 2,(1 if p else 2)*a)  v*vec2(1,2)/3  v+v*2*dt  clamp(v,v,v)  (v if p else -v)*2
-v*2  normalize(w).x*v  vec2(normalize(w).x,(v+v).y)  vec2((v*2).x,vec2(1,2).y)  vec2((v if p else v*2).x, 0)
v*(1.0 if p else 2)  2*v*3  v*2/3  v/2*3  1/3*v  (1/3*2)*v  -(v*2)  lerp(v,v,1)  lerp(v,vec2(0,0),(1 if p else 0))
v*-1  -1*v  v*--1  vec2(--1,-(1/3))  v/(2 if p else 4)  v*vec2(1/3,c1)  normalize(vec2(0,-0.0)*-1)
vec2(1,2) if p else v*0  v*c4  v*0  v-v*1  v*dt*-dt  v*(dt/2)  sum(unit.v*dt)  sum(unit.v*(1/3))  sum(2*unit.v)
""",
    "vec3": """
w*2  vec3(1,2,a)  normalize(w)  lerp(w,vec3(0,0,0),0.3)  min(w,vec3(a,0,1))  abs(-w)
clamp(w,vec3(-1,-1,-1),vec3(1,1,1))  sum(unit.w)  a*w*length(w)  vec3(dot(w,w),distance(w,w*2),length(w))
w if w==w else -w  normalize(vec3(0,0,0))  normalize(vec3(0,-0.0,0))  -w  w/a  w*-0.0  unit[2].w
""",
}

#: Q16.16 raws
FIXED_ONLY = {
    "num": """
raw(1)+2  raw(-5)/c2  5 if p else raw(1)
""",
}

#: radians, and numbers beyond Q16.16
FLOAT_ONLY = {
    "num": """
16777217  16777217.0  16777216.99999999999999999999  3.4028235e38  1e30  sin(1)  sin(0.5)  sin(c1)  sin(c2)  cos(1)
sin(0)  atan2(1,2)  asin(1/2)  acos(-1)
""",
}

#: refused on every backend
REFUSED = {
    "num": """
7//1 if p else 2  1//1*1.0  7%4+0.5  (7&4)+1.5  num(4294967295)  num(2147483648)  (7//2)*a
""",
    "i32": """
i32(4294967296)
""",
    "u32": """
-5  abs(3)  u>>-1  u32(-3000000000)  u32(4294967295 if p else 0)  u32(2147483648-1)  u32(4294967295+1)
""",
    "angle": """
-5  turn(1/4)  2*3  t<turn(0.1)  angle(-1)  t*(1/2)  t-(5*3)
""",
    "vec2": """
v*(7//2)  v*i
""",
}
